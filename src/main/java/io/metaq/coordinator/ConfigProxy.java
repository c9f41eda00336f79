package io.metaq.coordinator;

import io.metaq.bus.LocalBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import java.io.IOException;
import java.util.Optional;

/** What can be asked of ConfigVerticle: to read and to replace a file under {@code config/}. Completes on the caller's context. */
final class ConfigProxy {
  static final String LOAD = "metaq.config.load";
  static final String SAVE = "metaq.config.save";

  private final Vertx vertx;

  ConfigProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** A content to be written; it belongs to ConfigVerticle from here on. */
  record Save<T>(ConfigFormat<T> format, T content) {
    void into(ConfigFiles files) throws IOException {
      files.save(format, content);
    }
  }

  /** The newest whole generation, empty when there never was one; fails with {@link ConfigFileException} when none is readable. */
  <T> Future<Optional<T>> load(ConfigFormat<T> format) {
    return vertx
        .eventBus()
        .<Optional<T>>request(LOAD, format, LocalBus.LOCAL)
        .map(message -> message.body())
        .recover(ConfigProxy::sentence);
  }

  /** Completes when the content is on disk; saves of one caller are done in order. */
  <T> Future<Void> save(ConfigFormat<T> format, T content) {
    return vertx
        .eventBus()
        .request(SAVE, new Save<>(format, content), LocalBus.LOCAL)
        .<Void>mapEmpty()
        .recover(ConfigProxy::sentence);
  }

  private static <T> Future<T> sentence(Throwable failure) {
    return Future.failedFuture(
        failure instanceof ReplyException ? new ConfigFileException(failure.getMessage(), failure) : failure);
  }
}
