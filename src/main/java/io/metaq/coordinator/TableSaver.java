package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one table to its file: one save at a time, and what changes meanwhile shares the next one. A save that fails is logged and
 * leaves the table marked as changed; nobody is failed for it, because the table in memory is right.
 *
 * @param <T> the file's content
 */
@OwnedBy("the coordinator whose table it is")
final class TableSaver<T> {
  private static final Logger log = LoggerFactory.getLogger(TableSaver.class);

  private final ConfigProxy config;
  private final ConfigFormat<T> format;
  private final Supplier<T> content;

  private boolean changed;
  private Promise<Void> running;
  private Promise<Void> next;

  /**
   * @param content makes what is to be written, at the moment the save begins
   */
  TableSaver(ConfigProxy config, ConfigFormat<T> format, Supplier<T> content) {
    this.config = config;
    this.format = format;
    this.content = content;
  }

  /** Notes a change that need not be on disk at once. */
  void changed() {
    changed = true;
  }

  /** Completes when the table as it is now, or newer, is on disk, or could not be written. */
  Future<Void> save() {
    changed = true;
    return saveChanged();
  }

  /** Completes when all that saves were asked for by now is on disk, or could not be written. */
  Future<Void> saveRunning() {
    if (next != null) {
      return next.future();
    }
    return running == null ? Future.succeededFuture() : running.future();
  }

  /** As {@link #save}, but only when something changed since the last one; waits for a running save in any case. */
  Future<Void> saveChanged() {
    if (running != null) {
      return changed ? queued() : running.future();
    }
    if (!changed) {
      return Future.succeededFuture();
    }
    Promise<Void> promise = Promise.promise();
    run(promise);
    return promise.future();
  }

  private Future<Void> queued() {
    if (next == null) {
      next = Promise.promise();
    }
    return next.future();
  }

  private void run(Promise<Void> promise) {
    running = promise;
    changed = false;
    config.save(format, content.get()).onComplete(done -> {
      running = null;
      if (done.failed()) {
        changed = true;
        log.error("a config file could not be written, it will be tried again file={}", format.fileName(), done.cause());
      }
      if (next != null) {
        Promise<Void> waiting = next;
        next = null;
        run(waiting);
      }
      promise.complete();
    });
  }
}
