package io.metaq.coordinator;

import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.api.GroupPlace;
import io.metaq.coordinator.api.HoldEnded;
import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.coordinator.api.OffsetReset;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.OffsetsProxy.Forgotten;
import io.metaq.coordinator.api.ProgressHeld;
import io.metaq.coordinator.api.ResetSettled;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the consumers' progress ({@code consumerOffset.json}): takes commits in, in the order they come, answers queries, moves
 * groups whose readers may not know yet, holds progress in front of what readers passed over and others want, and brings the table
 * to its file while it changes and at the end. Whoever pops for a group follows what others commit for it. On a slave the master's
 * progress is merged into it, and what was committed here is kept for the master until it has it. The file is read before anything
 * is answered and never written before it was read. EVENT_LOOP x1; deployed after ConfigVerticle.
 */
@OwnedBy("itself")
public final class OffsetCoordinatorVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(OffsetCoordinatorVerticle.class);

  private final long saveIntervalMs;
  private final boolean slave;
  private final int loops;
  private final Clock clock;
  private final LocalCommits localCommits = new LocalCommits();
  private final PendingResets resets = new PendingResets();
  private final Set<String> followed = new HashSet<>();

  private OffsetTable table;
  private HeldOffsets holds;
  private TableSaver<OffsetsFile> saver;

  /**
   * @param saveIntervalMs how often a changed table goes to its file
   * @param slave whether there is a master that wants to know what is committed here
   * @param loops how many broker loops hear of groups that are moved
   */
  public OffsetCoordinatorVerticle(long saveIntervalMs, boolean slave, int loops, Clock clock) {
    this.saveIntervalMs = saveIntervalMs;
    this.slave = slave;
    this.loops = loops;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    ConfigProxy config = new ConfigProxy(vertx);
    return config.load(OffsetsFile.FORMAT).compose(stored -> {
      table = new OffsetTable(clock, stored);
      holds = new HeldOffsets(stored.map(OffsetsFile::holds).orElse(Map.of()));
      saver = new TableSaver<>(config, OffsetsFile.FORMAT, this::file);
      vertx.setPeriodic(saveIntervalMs, timer -> saver.saveChanged());
      return Future.all(List.of(
          vertx.eventBus().localConsumer(OffsetsProxy.COMMIT, Guard.logged("offset commit", this::commit)).completion(),
          vertx.eventBus().localConsumer(OffsetsProxy.COMMIT_POPPED, Guard.logged("popped progress", this::popped)).completion(),
          vertx.eventBus().localConsumer(OffsetsProxy.QUERY, Guard.replying("offset query", this::query)).completion(),
          vertx.eventBus().localConsumer(FollowProxy.OFFSETS, Guard.replying("master's offsets", this::judge)).completion(),
          vertx.eventBus().localConsumer(FollowProxy.PROGRESS, Guard.logged("master's progress", this::follow)).completion(),
          vertx.eventBus().localConsumer(FollowProxy.OFFSETS_TAKEN, Guard.logged("offsets taken", localCommits::taken)).completion(),
          answer(OffsetsProxy.PROGRESS, table::progressOf),
          answer(OffsetsProxy.GROUPS, table::groupsOf),
          answer(OffsetsProxy.FOLLOW, this::followGroup),
          vertx.eventBus().localConsumer(OffsetsProxy.RESET, Guard.replying("offset reset", this::reset)).completion(),
          vertx.eventBus().localConsumer(OffsetsProxy.SETTLED, Guard.logged("reset settled", this::settled)).completion(),
          vertx.eventBus().localConsumer(OffsetsProxy.HELD, Guard.replying("progress held", this::hold)).completion(),
          vertx.eventBus().localConsumer(OffsetsProxy.HOLDS, Guard.replying("holds", this::allHolds)).completion(),
          vertx.eventBus().localConsumer(OffsetsProxy.HOLD_ENDED, Guard.logged("hold ended", this::holdEnded)).completion(),
          answer(OffsetsProxy.FORGET_GROUP, this::forgetGroup),
          answer(OffsetsProxy.FORGET_TOPIC, this::forgetTopic),
          config.serve(Table.OFFSETS, OffsetsFile.FORMAT, this::file, clock.millis())));
    });
  }

  private OffsetsFile file() {
    return table.file(holds);
  }

  @Override
  public Future<?> stop() {
    return saver.saveChanged();
  }

  private void commit(OffsetCommits commits) {
    tellFollower(take(holds.capped(commits)));
  }

  /** What is popped lies in the log: only when the file says that the group was moved since, a start does not go back to it. */
  private void tellFollower(OffsetCommits commits) {
    if (followed.isEmpty()) {
      return;
    }
    List<GroupPlace> told = new ArrayList<>();
    for (int i = 0; i < commits.count(); i++) {
      if (followed.contains(commits.group(i))) {
        long movedMs = table.moved(commits.group(i), commits.topic(i), commits.queueId(i));
        told.add(new GroupPlace(commits.group(i), commits.topic(i), commits.queueId(i), commits.queueOffset(i), movedMs));
      }
    }
    if (!told.isEmpty()) {
      vertx.eventBus().send(OffsetsProxy.MOVED, told, LocalBus.LOCAL);
    }
  }

  private List<GroupPlace> followGroup(String group) {
    followed.add(group);
    return table.placesOf(group);
  }

  private void popped(List<GroupPlace> places) {
    places.forEach(place -> changed(table.commitPopped(place)));
  }

  /** What was taken: what comes from before a move, or makes no sense, counts for nobody. */
  private OffsetCommits take(OffsetCommits commits) {
    OffsetCommits counting = new OffsetCommits();
    for (int i = 0; i < commits.count(); i++) {
      if (resets.holds(commits.group(i), commits.topic(i), commits.queueId(i))) {
        continue;
      }
      long before = table.query(commits.group(i), commits.topic(i), commits.queueId(i));
      if (table.commit(commits.group(i), commits.topic(i), commits.queueId(i), commits.queueOffset(i))) {
        counting.add(commits.group(i), commits.topic(i), commits.queueId(i), commits.queueOffset(i));
        if (slave) {
          localCommits.add(commits.group(i), commits.topic(i), commits.queueId(i), before, commits.queueOffset(i));
        }
      }
    }
    saver.changed();
    return counting;
  }

  private void reset(Message<OffsetReset> message) {
    OffsetReset reset = message.body();
    reset.offsets().forEach((queueId, queueOffset) -> table.commit(reset.group(), reset.topic(), queueId, queueOffset));
    resets.add(reset);
    holds.moved(reset);
    tellLoops(reset);
    OffsetCommits moves = new OffsetCommits();
    reset.offsets().forEach((queueId, queueOffset) -> moves.add(reset.group(), reset.topic(), queueId, queueOffset));
    tellFollower(moves);
    saver.save().onComplete(saved -> message.reply(true, LocalBus.LOCAL));
  }

  private void settled(ResetSettled settled) {
    if (resets.settle(settled)) {
      tellLoops(settled);
    }
  }

  /** Answered when it is in the file: until then nobody may get what lies behind. One that is known may not be there yet. */
  private void hold(Message<ProgressHeld> message) {
    ProgressHeld held = message.body();
    if (resets.holds(held.group(), held.topic(), held.queueId())) {
      // Its reader passed it over before it knew of the move, which decides where the group goes on.
      tellLoops(new HoldEnded(held.group(), held.topic(), held.queueId(), held.queueOffset(), false));
      message.reply(true, LocalBus.LOCAL);
      return;
    }
    HeldOffsets.Added added = holds.add(held);
    if (added == HeldOffsets.Added.FIRST) {
      log.warn("the progress of a queue is held, its reader does not want a message that another member of the group does"
          + " group={} topic={} queueId={} queueOffset={} remote={}",
          held.group(), held.topic(), held.queueId(), held.queueOffset(), held.remote());
    }
    if (added == HeldOffsets.Added.KNOWN) {
      saver.saveRunning().onComplete(saved -> message.reply(true, LocalBus.LOCAL));
    } else {
      tellLoops(held);
      saver.save().onComplete(saved -> message.reply(true, LocalBus.LOCAL));
    }
  }

  private void allHolds(Message<Object> message) {
    message.reply(holds.all(), LocalBus.LOCAL);
  }

  private void holdEnded(HoldEnded ended) {
    if (!holds.end(ended)) {
      return;
    }
    saver.changed();
    if (ended.agreement()) {
      log.warn("the progress of a queue is not held any more, the members of the group do not contradict each other now; what was passed"
          + " over is read again after a reset to this offset group={} topic={} queueId={} queueOffset={}",
          ended.group(), ended.topic(), ended.queueId(), ended.queueOffset());
    }
    tellLoops(ended);
  }

  private void tellLoops(Object what) {
    for (int loop = 0; loop < loops; loop++) {
      vertx.eventBus().send(BusAddress.deltas(loop), what, LocalBus.LOCAL);
    }
  }

  private boolean forgetGroup(String group) {
    resets.forgetGroup(group).forEach(this::tellLoops);
    endAll(holds.forgetGroup(group));
    followed.remove(group);
    vertx.eventBus().send(OffsetsProxy.FORGOTTEN, new Forgotten(group, null), LocalBus.LOCAL);
    return changed(table.forgetGroup(group));
  }

  private boolean forgetTopic(String topic) {
    resets.forgetTopic(topic).forEach(this::tellLoops);
    endAll(holds.forgetTopic(topic));
    vertx.eventBus().send(OffsetsProxy.FORGOTTEN, new Forgotten(null, topic), LocalBus.LOCAL);
    return changed(table.forgetTopic(topic));
  }

  private void endAll(List<HoldEnded> ended) {
    ended.forEach(this::tellLoops);
    changed(!ended.isEmpty());
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

  private void judge(Message<FollowProxy.MasterOffsets> message) {
    message.reply(localCommits.judge(message.body().file(), message.body().ownedSinceMs()), LocalBus.LOCAL);
  }

  private void follow(OffsetsFile master) {
    changed(table.follow(master, localCommits));
  }

  private void query(Message<OffsetsProxy.Query> message) {
    OffsetsProxy.Query query = message.body();
    message.reply(table.query(query.group(), query.topic(), query.queueId()), LocalBus.LOCAL);
  }
}
