package io.metaq.bridge;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** What is served as it lies in the jar, by fixed names: no path of a request ever becomes one of a file. */
final class Pages {
  private Pages() {}

  /** Read when it is first asked for; the files are small. */
  static Endpoint of(String contentType, String resource) {
    return call -> Future.succeededFuture(Answer.of(contentType, read(resource)));
  }

  static Buffer read(String resource) {
    try (InputStream in = Pages.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + resource);
      }
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
