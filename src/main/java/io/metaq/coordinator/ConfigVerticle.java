package io.metaq.coordinator;

import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.model.Clock;
import io.metaq.store.Disk;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads and writes the files under {@code config/} for the coordinators, one request after the other, and the same contents as bodies of
 * messages between brokers: large tables take time. WORKER x1, pool
 * {@code metaq-config}; deployed before the coordinators and undeployed after them, when the last save has been answered.
 */
public final class ConfigVerticle extends VerticleBase {
  private static final int FAILED = 1;

  private final ConfigFiles files;

  /**
   * @param folder {@code config/} of the store's root; made at the first save
   */
  public ConfigVerticle(Path folder, Clock clock) {
    files = new ConfigFiles(folder, Disk.real(), clock);
  }

  @Override
  public Future<?> start() {
    return Future.all(
        vertx.eventBus().localConsumer(ConfigProxy.LOAD, Guard.replying("config load", this::load)).completion(),
        vertx.eventBus().localConsumer(ConfigProxy.SAVE, Guard.replying("config save", this::save)).completion(),
        vertx.eventBus().localConsumer(ConfigProxy.ENCODE, Guard.replying("config encode", this::encode)).completion(),
        vertx.eventBus().localConsumer(ConfigProxy.DECODE, Guard.replying("config decode", this::decode)).completion());
  }

  private void load(Message<ConfigFormat<?>> message) {
    try {
      Optional<?> content = files.load(message.body());
      message.reply(content, LocalBus.LOCAL);
    } catch (ConfigFileException unusable) {
      message.fail(FAILED, unusable.getMessage());
    }
  }

  private void save(Message<ConfigProxy.Save<?>> message) {
    try {
      message.body().into(files);
      message.reply(true, LocalBus.LOCAL);
    } catch (IOException failure) {
      message.fail(FAILED, "Cannot write " + message.body().format().fileName() + ": " + failure + ".");
    }
  }

  private void encode(Message<ConfigProxy.Encode<?>> message) {
    try {
      message.reply(message.body().body(), LocalBus.LOCAL);
    } catch (IOException failure) {
      message.fail(FAILED, "Cannot encode " + message.body().format().fileName() + ": " + failure + ".");
    }
  }

  private void decode(Message<ConfigProxy.Decode<?>> message) {
    try {
      message.reply(message.body().content(), LocalBus.LOCAL);
    } catch (IOException | IllegalArgumentException failure) {
      message.fail(FAILED, "This is no content of " + message.body().format().fileName() + ": " + ConfigFiles.firstLine(failure));
    }
  }
}
