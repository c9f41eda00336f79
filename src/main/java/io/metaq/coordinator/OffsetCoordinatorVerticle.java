package io.metaq.coordinator;

import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;

/**
 * Owns the consumers' progress ({@code consumerOffset.json}): takes commits in, in the order they come, answers queries, and
 * brings the table to its file while it changes and at the end. The file is read before anything is answered and never written
 * before it was read. EVENT_LOOP x1; deployed after ConfigVerticle.
 */
@OwnedBy("itself")
public final class OffsetCoordinatorVerticle extends VerticleBase {
  private final long saveIntervalMs;
  private final Clock clock;

  private OffsetTable table;
  private TableSaver<OffsetsFile> saver;

  /**
   * @param saveIntervalMs how often a changed table goes to its file
   */
  public OffsetCoordinatorVerticle(long saveIntervalMs, Clock clock) {
    this.saveIntervalMs = saveIntervalMs;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    ConfigProxy config = new ConfigProxy(vertx);
    return config.load(OffsetsFile.FORMAT).compose(stored -> {
      table = new OffsetTable(clock, stored);
      saver = new TableSaver<>(config, OffsetsFile.FORMAT, table::file);
      vertx.setPeriodic(saveIntervalMs, timer -> saver.saveChanged());
      return Future.all(
          vertx.eventBus().localConsumer(OffsetsProxy.COMMIT, Guard.logged("offset commit", this::commit)).completion(),
          vertx.eventBus().localConsumer(OffsetsProxy.QUERY, Guard.replying("offset query", this::query)).completion());
    });
  }

  @Override
  public Future<?> stop() {
    return saver.saveChanged();
  }

  private void commit(OffsetCommits commits) {
    for (int i = 0; i < commits.count(); i++) {
      table.commit(commits.group(i), commits.topic(i), commits.queueId(i), commits.queueOffset(i));
    }
    saver.changed();
  }

  private void query(Message<OffsetsProxy.Query> message) {
    OffsetsProxy.Query query = message.body();
    message.reply(table.query(query.group(), query.topic(), query.queueId()), LocalBus.LOCAL);
  }
}
