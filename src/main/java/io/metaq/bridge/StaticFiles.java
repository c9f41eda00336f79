package io.metaq.bridge;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * What is served as it lies in the jar: the console and the libraries it imports, and the browser's module, which is made short. A file
 * is read when it is first asked for, and kept packed. A path is looked for only when it is made of plain names, so that it cannot lead out of its
 * folder.
 *
 * <p>Browsers ask each time whether a file has changed, for a broker is updated without notice; mostly the answer is that it has
 * not. (Vert.x's own handler of static files would unpack them into a folder of the machine, and goes by their times, of which a
 * build that can be repeated has only one.)
 */
@OwnedBy("BridgeVerticle")
final class StaticFiles {
  /** Under {@code /console/} and {@code /lib/}. */
  static final String CONSOLE = "/console/";
  static final String LIBRARIES = "/lib/";

  private static final String MODULE_HEAD = "// MetaQ in a browser. To read: /metaq.src.js; types: /metaq.d.ts";
  private static final Pattern PLAIN = Pattern.compile("([A-Za-z0-9_-]+/){0,4}[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)+");
  private static final String WEAK = "W/";
  private static final int OK = 200;
  private static final int NOT_MODIFIED = 304;

  /**
   * Nothing of other origins, no script or style in a page itself, no frame around it. Pictures may be in a style sheet. A {@code
   * Referer} goes to the own origin, for {@link RequestGuard} goes by it where a browser tells no more.
   */
  private static final Map<String, String> SAFETY = Map.of(
      "Content-Security-Policy", "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
          + "form-action 'self'; frame-ancestors 'none'",
      "Referrer-Policy", "same-origin");

  private final Vertx vertx;
  private final Map<String, Future<StaticFile>> files = new HashMap<>();

  StaticFiles(Vertx vertx) {
    this.vertx = vertx;
  }

  List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    routes.addAll(file("/", "console/index.html"));
    routes.addAll(routes("/metaq.js", call -> serve(call, "/metaq.js", () -> StaticFile.compact("metaq.js", MODULE_HEAD))));
    routes.addAll(file("/metaq.src.js", "metaq.js"));
    routes.addAll(file("/metaq.d.ts", "metaq.d.ts"));
    routes.addAll(file("/openapi.json", "openapi.json"));
    routes.addAll(folder(CONSOLE, name -> "console/" + name));
    routes.addAll(folder(LIBRARIES, name -> Library.resource(name).orElseThrow(StaticFiles::nothing)));
    return routes;
  }

  private List<Route> file(String path, String resource) {
    return routes(path, call -> serve(call, path, () -> StaticFile.read(resource)));
  }

  /** @param resource of a path below the folder */
  private List<Route> folder(String path, Function<String, String> resource) {
    return routes(path + "*", call -> {
      // The router takes the folder itself, too, without its last slash.
      String name = call.path().substring(Math.min(path.length(), call.path().length()));
      if (!PLAIN.matcher(name).matches() || !StaticFile.isServed(name)) {
        throw nothing();
      }
      return serve(call, path + name, () -> StaticFile.read(resource.apply(name)));
    });
  }

  private static List<Route> routes(String path, Endpoint endpoint) {
    return List.of(Route.get(path, Access.READ, endpoint), Route.head(path, Access.READ, endpoint));
  }

  private static BridgeException nothing() {
    return Fault.NO_SUCH_PATH.because("there is nothing at this path");
  }

  /** @param read called on a worker, once */
  private Future<Answer> serve(Call call, String key, Supplier<StaticFile> read) {
    Future<StaticFile> file = files.get(key);
    if (file == null) {
      file = vertx.executeBlocking(read::get, false);
      files.put(key, file);
      file.onFailure(missing -> files.remove(key));
    }
    return file.map(found -> answer(call, found));
  }

  private static Answer answer(Call call, StaticFile file) {
    Map<String, String> headers = new HashMap<>(SAFETY);
    headers.put("ETag", file.etag());
    headers.put("Cache-Control", "no-cache");
    headers.put("Vary", "Origin, Accept-Encoding");
    if (known(call.header("If-None-Match").orElse(""), file.etag())) {
      return new Answer(NOT_MODIFIED, "", Buffer.buffer(), headers);
    }
    boolean zipped = listed(call.header("Accept-Encoding").orElse(""), "gzip");
    if (zipped) {
      headers.put("Content-Encoding", "gzip");
    }
    Buffer body = zipped ? Buffer.buffer(file.zipped()) : file.unzipped();
    headers.put("Content-Length", Integer.toString(body.length()));
    boolean headOnly = call.request().method() == HttpMethod.HEAD;
    return new Answer(OK, file.contentType(), headOnly ? Buffer.buffer() : body, headers);
  }

  /** Whether who asks has the file already, by any of its tags; whether they are weak does not count (RFC 9110, section 13.1.2). */
  private static boolean known(String tags, String etag) {
    return tags.trim().equals("*") || Arrays.stream(tags.split(",")).map(StaticFiles::opaque).anyMatch(opaque(etag)::equals);
  }

  private static String opaque(String tag) {
    String text = tag.trim();
    return text.startsWith(WEAK) ? text.substring(WEAK.length()) : text;
  }

  /** Whether a word is in a list of a header; not when it is there to be refused. */
  private static boolean listed(String header, String word) {
    return Arrays.stream(header.split(",")).map(String::trim).anyMatch(item -> item.equals(word)
        || item.startsWith(word + ";") && !item.replace(" ", "").matches(".*;q=0(\\.0*)?"));
  }
}
