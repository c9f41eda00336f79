package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of the jar over HTTP: those that are meant, as browsers want them, and nothing else. */
@Timeout(120)
class StaticFilesTest {
  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of());

  private static final String PAGE = "/console/index.html";

  private static Http http() {
    return new Http(SERVER.httpPort());
  }

  @ParameterizedTest
  @CsvSource({
    "/, text/html; charset=utf-8",
    "/console/index.html, text/html; charset=utf-8",
    "/metaq.js, text/javascript; charset=utf-8",
    "/metaq.src.js, text/javascript; charset=utf-8",
    "/metaq.d.ts, text/plain; charset=utf-8",
    "/openapi.json, application/json",
    "/lib/uplot/dist/uPlot.esm.js, text/javascript; charset=utf-8",
    "/lib/uplot/dist/uPlot.min.css, text/css; charset=utf-8",
    "/lib/lit-html/lit-html.js, text/javascript; charset=utf-8",
    "/lib/lit-html/directives/repeat.js, text/javascript; charset=utf-8"})
  void shouldServeEachFileUnderItsTypeAndSafely(String path, String type) throws Exception {
    Http.Reply reply = http().get(path);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).isNotBlank();
    assertThat(reply.header("Content-Type")).isEqualTo(type);
    assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(reply.header("Referrer-Policy")).isEqualTo("same-origin");
    assertThat(reply.header("Content-Security-Policy")).contains("default-src 'self'", "frame-ancestors 'none'");
    assertThat(reply.header("Cache-Control")).isEqualTo("no-cache");
  }

  @Test
  void shouldServeTheModuleShortAndAsItIsWritten() throws Exception {
    byte[] served = http().get("/metaq.js").text().getBytes(StandardCharsets.UTF_8);
    String source = http().get("/metaq.src.js").text();

    assertThat(served.length).as("bytes of /metaq.js, not packed").isLessThan(10_000);
    assertThat(source).isEqualTo(new String(StaticFile.bytes("metaq.js"), StandardCharsets.UTF_8));
  }

  @Test
  void shouldSendAFileOnceAndThenOnlySayThatItIsTheSame() throws Exception {
    String etag = http().get(PAGE).header("ETag");

    Http.Reply same = http().get(PAGE, "If-None-Match", "\"other\", " + etag);
    Http.Reply any = http().get(PAGE, "If-None-Match", "*");
    Http.Reply strong = http().get(PAGE, "If-None-Match", etag.substring("W/".length()) + " , \"other\"");
    Http.Reply other = http().get(PAGE, "If-None-Match", "W/\"0000\"");

    assertThat(same.status()).isEqualTo(304);
    assertThat(same.text()).isEmpty();
    assertThat(any.status()).isEqualTo(304);
    assertThat(strong.status()).isEqualTo(304);
    assertThat(same.header("ETag")).isEqualTo(etag);
    assertThat(same.header("Cache-Control")).isEqualTo("no-cache");
    assertThat(other.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br, gzip;q=0.5", "gzip, deflate, br, zstd"})
  void shouldPackForWhoTakesIt(String accepted) throws Exception {
    String plain = http().get("/openapi.json").text();

    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + SERVER.httpPort() + "/openapi.json"))
        .header("Accept-Encoding", accepted).build();
    HttpResponse<byte[]> packed = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());

    assertThat(packed.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(packed.headers().firstValue("Vary").orElseThrow()).contains("Accept-Encoding").contains("Origin");
    assertThat(packed.body().length).isLessThan(plain.length() / 3);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes())
        .asString(StandardCharsets.UTF_8).isEqualTo(plain);
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "identity", "gzip;q=0", "gzip; q=0.000"})
  void shouldNotPackForWhoDoesNotTakeIt(String accepted) throws Exception {
    Http.Reply reply = http().get(PAGE, "Accept-Encoding", accepted);

    assertThat(reply.header("Content-Encoding")).isNull();
    assertThat(reply.text()).startsWith("<!doctype html>");
  }

  @Test
  void shouldAnswerHeadWithTheHeadAlone() throws Exception {
    String get = raw("GET", PAGE);
    String head = raw("HEAD", PAGE);

    assertThat(head).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n").isEqualTo(get.substring(0, get.indexOf("\r\n\r\n") + 4));
    assertThat(head.toLowerCase()).contains("content-length: " + get.substring(get.indexOf("\r\n\r\n") + 4).length());
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "/console/../../bridge/openapi.json", "/console/%2e%2e/BridgeOptions.class", "/console/..%2fopenapi.json",
    "/console/%2e%2e%2fopenapi.json", "/console/..%5copenapi.json", "/console/..\\openapi.json",
    "/console/%252e%252e/openapi.json", "/console//etc/passwd", "/console/%2fetc%2fpasswd", "/console/index.html%00.js",
    "/console/.htaccess.js", "/console/", "/console", "/console/none.js", "/console/a/b/c/d/e/f.js", "/lib/",
    "/lib/uplot/", "/lib/uplot/package.json", "/lib/uplot/dist/uPlot.iife.js", "/lib/uplot/dist/uPlot.d.ts",
    "/lib/lit-html/../uplot/LICENSE", "/lib/lit-html/development/lit-html.js", "/lib/nothing/nothing.js",
    "/lib/..%2fuplot/dist/uPlot.esm.js", "/lib/uplot/%2e%2e/%2e%2e/io/metaq/bridge/openapi.json",
    "/BridgeVerticle.class", "/console/../BridgeVerticle.class", "/META-INF/MANIFEST.MF"})
  void shouldServeNothingElseByWhateverPath(String path) throws Exception {
    assertThat(raw("GET", path)).startsWith("HTTP/1.1 404").contains("urn:metaq:problem:no-such-path");
  }

  @Test
  void shouldRefuseToChangeAFile() throws Exception {
    Http.Reply reply = http().call("PUT", PAGE, "x", "Content-Type", "application/json");

    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("Allow")).isEqualTo("GET, HEAD");
  }

  /** As it stands on the line: clients tidy paths up before they send them. */
  private static String raw(String method, String path) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", SERVER.httpPort())) {
      socket.getOutputStream().write((method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
          .getBytes(StandardCharsets.UTF_8));
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(answer);
      return answer.toString(StandardCharsets.UTF_8);
    }
  }
}
