package io.metaq.coordinator;

import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.function.Function;

/**
 * Owns the consumers' progress ({@code consumerOffset.json}): takes commits in, in the order they come, answers queries, and
 * brings the table to its file while it changes and at the end. On a slave the master's progress is merged into it, and what was
 * committed here is kept for the master until it has it. The file is read before anything is answered and never written
 * before it was read. EVENT_LOOP x1; deployed after ConfigVerticle.
 */
@OwnedBy("itself")
public final class OffsetCoordinatorVerticle extends VerticleBase {
  private final long saveIntervalMs;
  private final boolean slave;
  private final Clock clock;
  private final LocalCommits localCommits = new LocalCommits();

  private OffsetTable table;
  private TableSaver<OffsetsFile> saver;

  /**
   * @param saveIntervalMs how often a changed table goes to its file
   * @param slave whether there is a master that wants to know what is committed here
   */
  public OffsetCoordinatorVerticle(long saveIntervalMs, boolean slave, Clock clock) {
    this.saveIntervalMs = saveIntervalMs;
    this.slave = slave;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    ConfigProxy config = new ConfigProxy(vertx);
    return config.load(OffsetsFile.FORMAT).compose(stored -> {
      table = new OffsetTable(clock, stored);
      saver = new TableSaver<>(config, OffsetsFile.FORMAT, table::file);
      vertx.setPeriodic(saveIntervalMs, timer -> saver.saveChanged());
      return Future.all(List.of(
          vertx.eventBus().localConsumer(OffsetsProxy.COMMIT, Guard.logged("offset commit", this::commit)).completion(),
          vertx.eventBus().localConsumer(OffsetsProxy.QUERY, Guard.replying("offset query", this::query)).completion(),
          vertx.eventBus().localConsumer(FollowProxy.OFFSETS, Guard.replying("master's offsets", this::follow)).completion(),
          vertx.eventBus().localConsumer(FollowProxy.OFFSETS_TAKEN, Guard.logged("offsets taken", localCommits::taken)).completion(),
          answer(OffsetsProxy.PROGRESS, table::progressOf),
          answer(OffsetsProxy.GROUPS, table::groupsOf),
          answer(OffsetsProxy.FORGET_GROUP, group -> changed(table.forgetGroup(group))),
          answer(OffsetsProxy.FORGET_TOPIC, topic -> changed(table.forgetTopic(topic))),
          config.serve(Table.OFFSETS, OffsetsFile.FORMAT, table::file, clock.millis())));
    });
  }

  @Override
  public Future<?> stop() {
    return saver.saveChanged();
  }

  private void commit(OffsetCommits commits) {
    for (int i = 0; i < commits.count(); i++) {
      long before = table.query(commits.group(i), commits.topic(i), commits.queueId(i));
      boolean taken = table.commit(commits.group(i), commits.topic(i), commits.queueId(i), commits.queueOffset(i));
      if (slave && taken) {
        localCommits.add(commits.group(i), commits.topic(i), commits.queueId(i), before, commits.queueOffset(i));
      }
    }
    saver.changed();
  }

  private Future<Void> answer(String address, Function<String, Object> question) {
    return vertx.eventBus()
        .<String>localConsumer(address, Guard.replying(address, message -> message.reply(question.apply(message.body()), LocalBus.LOCAL)))
        .completion();
  }

  private boolean changed(boolean changed) {
    if (changed) {
      saver.changed();
    }
    return changed;
  }

  private void follow(Message<FollowProxy.MasterOffsets> message) {
    OffsetsFile master = message.body().file();
    OffsetCommits told = localCommits.judge(master, message.body().ownedSinceMs());
    if (table.follow(master, localCommits)) {
      saver.changed();
    }
    message.reply(told, LocalBus.LOCAL);
  }

  private void query(Message<OffsetsProxy.Query> message) {
    OffsetsProxy.Query query = message.body();
    message.reply(table.query(query.group(), query.topic(), query.queueId()), LocalBus.LOCAL);
  }
}
