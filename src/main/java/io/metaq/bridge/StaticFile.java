package io.metaq.bridge;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A file of the jar as it is served.
 *
 * @param etag weak, for it names what the file says, packed or not
 * @param zipped the file, packed by gzip, as nearly everybody takes it
 */
record StaticFile(String contentType, String etag, byte[] zipped) {
  private static final int ETAG_BYTES = 12;
  private static final Map<String, String> TYPES = Map.of(
      "html", "text/html; charset=utf-8",
      "js", "text/javascript; charset=utf-8",
      "css", "text/css; charset=utf-8",
      "ts", "text/plain; charset=utf-8",
      "json", Answer.JSON,
      "svg", "image/svg+xml",
      "png", "image/png");

  /**
   * Reads a resource.
   *
   * @param resource beside this class, or from the root of the class path when it begins with a slash
   * @throws BridgeException {@code NO_SUCH_PATH} when there is none
   */
  static StaticFile read(String resource) {
    return of(resource, bytes(resource));
  }

  /**
   * Reads a script and makes it short.
   *
   * @param resource as of {@link #read}
   * @param head first line, for people
   */
  static StaticFile compact(String resource, String head) {
    String script = new String(bytes(resource), StandardCharsets.UTF_8);
    return of(resource, (head + '\n' + CompactScript.of(script)).getBytes(StandardCharsets.UTF_8));
  }

  private static StaticFile of(String name, byte[] bytes) {
    return new StaticFile(type(name), etag(bytes), zip(bytes));
  }

  static byte[] bytes(String resource) {
    try (InputStream in = StaticFile.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw Fault.NO_SUCH_PATH.because("there is nothing at this path");
      }
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Whether files of such a name are served. */
  static boolean isServed(String name) {
    return TYPES.containsKey(ending(name));
  }

  private static String type(String name) {
    return TYPES.get(ending(name));
  }

  private static String ending(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static String etag(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "W/\"" + HexFormat.of().formatHex(digest, 0, ETAG_BYTES) + '"';
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static byte[] zip(byte[] bytes) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return zipped.toByteArray();
  }

  /** For the few who do not take it packed. */
  Buffer unzipped() {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
