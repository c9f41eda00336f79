package io.metaq.coordinator;

import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.api.TableBody;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What can be asked of ConfigVerticle: to read and to replace a file under {@code config/}, and to turn the content of one into the body
 * of a message between brokers and back. Completes on the caller's context.
 */
final class ConfigProxy {
  static final String LOAD = "metaq.config.load";
  static final String SAVE = "metaq.config.save";
  static final String ENCODE = "metaq.config.encode";
  static final String DECODE = "metaq.config.decode";

  private static final int FAILED = 1;

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

  /** A content to be made a body; it belongs to ConfigVerticle from here on. */
  record Encode<T>(ConfigFormat<T> format, T content) {
    byte[] body() throws IOException {
      return ConfigJson.encode(format, content);
    }
  }

  /** A body to be made a content. */
  record Decode<T>(ConfigFormat<T> format, byte[] body) {
    T content() throws IOException {
      return ConfigJson.decode(format, body);
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

  /** The content as the body of a message. */
  <T> Future<byte[]> encode(ConfigFormat<T> format, T content) {
    return vertx.eventBus().<byte[]>request(ENCODE, new Encode<>(format, content), LocalBus.LOCAL)
        .map(message -> message.body())
        .recover(ConfigProxy::sentence);
  }

  /** The content of a body; fails with {@link ConfigFileException} when it has another form. */
  <T> Future<T> decode(ConfigFormat<T> format, byte[] body) {
    return vertx.eventBus().<T>request(DECODE, new Decode<>(format, body), LocalBus.LOCAL)
        .map(message -> message.body())
        .recover(ConfigProxy::sentence);
  }

  /**
   * Gives a coordinator's table to whoever asks for it, from now on.
   *
   * @param content makes what is to be given, on the coordinator's own thread
   * @param ownedSinceMs when the coordinator read the table from its file
   */
  <T> Future<Void> serve(Table table, ConfigFormat<T> format, Supplier<T> content, long ownedSinceMs) {
    return vertx.eventBus().localConsumer(table.address(), Guard.replying(table.address(), message ->
        encode(format, content.get())
            .onSuccess(json -> message.reply(new TableBody(json, ownedSinceMs), LocalBus.LOCAL))
            .onFailure(failure -> message.fail(FAILED, failure.getMessage()))))
        .completion();
  }

  private static <T> Future<T> sentence(Throwable failure) {
    return Future.failedFuture(
        failure instanceof ReplyException ? new ConfigFileException(failure.getMessage(), failure) : failure);
  }
}
