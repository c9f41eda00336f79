package io.metaq.coordinator;

import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.CoordinatorOptions.GroupRules;
import io.metaq.coordinator.api.CloseConnections;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.GroupsDelta;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.coordinator.api.HeartbeatAnswer;
import io.metaq.coordinator.api.MembersChanged;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.model.Clock;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.TopicConfig;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the consumer groups: their settings ({@code subscriptionGroup.json}; on a slave the master's), their connected members with
 * what they subscribe to ({@code subscriptionConflict.json} where that contradicts itself), the producers, and the queue locks.
 * Loops hear of a group only when it looks different from before; they hear it before the request that caused it is answered, and
 * before the notice to its members. EVENT_LOOP x1; deployed after TopicCoordinatorVerticle.
 */
@OwnedBy("itself")
public final class GroupCoordinatorVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(GroupCoordinatorVerticle.class);

  private static final int UNIT_SUBSCRIPTION = 2;

  private final GroupRules rules;
  private final int loops;
  private final Clock clock;
  private final ConsumerTable consumers;
  private final ProducerTable producers = new ProducerTable();
  private final QueueLocks locks = new QueueLocks();

  private TopicsProxy topics;
  private GroupTable groups;
  private TableSaver<GroupsFile> saver;
  private TableSaver<ConflictsFile> conflicts;

  /**
   * @param loops how many broker loops hear of changes
   */
  public GroupCoordinatorVerticle(GroupRules rules, int loops, Clock clock) {
    this.rules = rules;
    this.loops = loops;
    this.clock = clock;
    consumers = new ConsumerTable(rules.conflict());
  }

  @Override
  public Future<?> start() {
    topics = new TopicsProxy(vertx);
    ConfigProxy config = new ConfigProxy(vertx);
    return config.load(GroupsFile.FORMAT).compose(stored -> {
      groups = new GroupTable(rules, clock, stored);
      saver = new TableSaver<>(config, GroupsFile.FORMAT, groups::file);
      return config.load(ConflictsFile.FORMAT);
    }).compose(before -> {
      before.ifPresent(file -> consumers.remember(file, monotonicMs()));
      conflicts = new TableSaver<>(config, ConflictsFile.FORMAT, consumers::toRemember);
      vertx.setPeriodic(rules.scanIntervalMs(), timer -> scan());
      return (groups.addSystemGroups() ? saver.save() : Future.<Void>succeededFuture()).compose(saved -> listen(config));
    });
  }

  @Override
  public Future<?> stop() {
    return Future.all(saver.saveChanged(), conflicts.saveChanged());
  }

  private Future<?> listen(ConfigProxy config) {
    return Future.all(
        List.of(
            answer(GroupsProxy.HEARTBEAT, this::heartbeat),
            answer(GroupsProxy.UNREGISTER, this::unregister),
            answer(GroupsProxy.ENSURE, this::ensure),
            answer(GroupsProxy.LOCK, this::lock),
            answer(GroupsProxy.UNLOCK, this::unlock),
            answer(GroupsProxy.HAS_LOCK, this::hasLock),
            answer(GroupsProxy.SNAPSHOT, this::snapshot),
            answer(LiveProducers.ADDRESS, this::liveProducers),
            answer(GroupsProxy.UPDATE, this::update),
            answer(GroupsProxy.DELETE, this::delete),
            answer(GroupsProxy.MEMBERS, this::members),
            answer(GroupsProxy.PRODUCERS, this::producers),
            answer(GroupsProxy.PRODUCER, this::producer),
            answer(GroupsProxy.FORBID, this::forbid),
            answer(FollowProxy.GROUPS, this::follow),
            config.serve(Table.GROUPS, GroupsFile.FORMAT, groups::file, clock.millis()),
            vertx.eventBus().localConsumer(GroupsProxy.CLOSED, Guard.logged("closed", this::closed)).completion()));
  }

  private <T> Future<Void> answer(String address, Handler<Message<T>> handler) {
    return vertx.eventBus().localConsumer(address, Guard.replying(address, handler)).completion();
  }

  private void heartbeat(Message<Heartbeat> message) {
    Heartbeat beat = message.body();
    long nowMs = monotonicMs();
    GroupChanges changes = new GroupChanges();
    List<Future<?>> pending = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    boolean wanted = beat.fingerprint() == 0;
    producers.heartbeat(beat, nowMs);
    for (Heartbeat.Consumer consumer : beat.consumers()) {
      Optional<GroupConfig> group = findOrCreate(consumer.group(), changes, pending);
      if (group.isPresent()) {
        ConsumerTable.Outcome outcome = consumers.heartbeat(beat, consumer, nowMs, changes);
        wanted |= outcome.subscriptionsWanted();
        outcome.refusal().ifPresent(refusals::add);
        if (group.get().retryQueues() > 0) {
          pending.add(topics.ensure(retryTopic(group.get(), consumer.unitMode())));
        }
      }
    }
    publish(changes);
    pending.add(saveConflicts());
    HeartbeatAnswer answer = new HeartbeatAnswer(wanted, refusals);
    Future.join(pending)
        .onSuccess(done -> message.reply(answer, LocalBus.LOCAL))
        .onFailure(failure -> {
          log.error("a heartbeat failed, the retry topic could not be made clientId={}", beat.clientId(), failure);
          message.fail(1, "the retry topic could not be made: " + failure.getMessage());
        });
  }

  private void unregister(Message<GroupsProxy.Unregister> message) {
    GroupsProxy.Unregister leaving = message.body();
    ClientConnection connection = new ClientConnection(leaving.loop(), leaving.connectionId());
    GroupChanges changes = new GroupChanges();
    if (leaving.producerGroup() != null) {
      producers.remove(connection, leaving.producerGroup());
    }
    if (leaving.consumerGroup() != null) {
      consumers.remove(connection, leaving.consumerGroup(), monotonicMs(), changes);
    }
    publish(changes);
    saveConflicts();
    message.reply(true, LocalBus.LOCAL);
  }

  private void closed(GroupsProxy.Closed closed) {
    ClientConnection connection = new ClientConnection(closed.loop(), closed.connectionId());
    GroupChanges changes = new GroupChanges();
    producers.closed(connection);
    consumers.closed(connection, monotonicMs(), changes);
    publish(changes);
    saveConflicts();
  }

  private void ensure(Message<String> message) {
    GroupChanges changes = new GroupChanges();
    List<Future<?>> pending = new ArrayList<>();
    Optional<GroupConfig> group = findOrCreate(message.body(), changes, pending);
    publish(changes);
    Future.join(pending).onComplete(saved -> message.reply(group, LocalBus.LOCAL));
  }

  private void lock(Message<GroupsProxy.Lock> message) {
    GroupsProxy.Lock wish = message.body();
    message.reply(locks.lock(wish.group(), wish.clientId(), wish.queues(), monotonicMs()), LocalBus.LOCAL);
  }

  private void unlock(Message<GroupsProxy.Lock> message) {
    GroupsProxy.Lock given = message.body();
    locks.unlock(given.group(), given.clientId(), given.queues());
    message.reply(true, LocalBus.LOCAL);
  }

  private void hasLock(Message<String> message) {
    message.reply(locks.anyHeld(message.body(), monotonicMs()), LocalBus.LOCAL);
  }

  private void update(Message<GroupConfig> message) {
    GroupConfig group = message.body();
    boolean changed;
    try {
      changed = groups.update(group);
    } catch (IllegalArgumentException refused) {
      message.reply(Optional.of(refused.getMessage()), LocalBus.LOCAL);
      return;
    }
    if (!changed) {
      message.reply(Optional.empty(), LocalBus.LOCAL);
      return;
    }
    log.info("a consumer group was changed group={} consumeEnabled={} retryQueues={} retryMaxTimes={}",
        group.name(), group.consumeEnabled(), group.retryQueues(), group.retryMaxTimes());
    GroupChanges changes = new GroupChanges();
    changes.visible(group.name());
    publish(changes);
    saver.save().onComplete(saved -> message.reply(Optional.empty(), LocalBus.LOCAL));
  }

  private void delete(Message<String> message) {
    String group = message.body();
    if (!groups.remove(group)) {
      message.reply(false, LocalBus.LOCAL);
      return;
    }
    log.info("a consumer group was deleted group={}", group);
    tellLoops(new GroupsDelta(List.of(), List.of(group), false));
    saver.save().onComplete(saved -> message.reply(true, LocalBus.LOCAL));
  }

  private void members(Message<String> message) {
    message.reply(consumers.describe(message.body(), clock.millis() - monotonicMs()), LocalBus.LOCAL);
  }

  private void producers(Message<Object> message) {
    message.reply(producers.describe(clock.millis() - monotonicMs()), LocalBus.LOCAL);
  }

  private void producer(Message<String> message) {
    message.reply(producers.find(message.body(), clock.millis() - monotonicMs()), LocalBus.LOCAL);
  }

  private void forbid(Message<GroupsProxy.Forbid> message) {
    GroupsProxy.Forbid wish = message.body();
    boolean changed = wish.readable().map(readable -> groups.forbid(wish.group(), wish.topic(), readable)).orElse(false);
    boolean readable = !groups.forbiddenTopics(wish.group()).contains(wish.topic());
    if (!changed) {
      message.reply(readable, LocalBus.LOCAL);
      return;
    }
    log.info("reading was forbidden or permitted group={} topic={} readable={}", wish.group(), wish.topic(), readable);
    GroupChanges changes = new GroupChanges();
    changes.visible(wish.group());
    publish(changes);
    saver.save().onComplete(saved -> message.reply(readable, LocalBus.LOCAL));
  }

  private GroupSnapshot look(GroupConfig group) {
    return consumers.snapshot(group, groups.forbiddenTopics(group.name()));
  }

  private void snapshot(Message<Object> message) {
    message.reply(wholeTable(), LocalBus.LOCAL);
  }

  private void liveProducers(Message<Object> message) {
    message.reply(producers.live(), LocalBus.LOCAL);
  }

  private GroupsDelta wholeTable() {
    return new GroupsDelta(groups.all().stream().map(this::look).toList(), List.of(), true);
  }

  /** Members stay; those of a group the master does not know make it anew with their next heartbeat. */
  private void follow(Message<GroupsFile> message) {
    boolean changed = groups.follow(message.body());
    if (changed) {
      log.info("the master's consumer groups were taken over groups={} version={}",
          message.body().groups().size(), message.body().version());
      tellLoops(wholeTable());
      saver.save();
    }
    message.reply(changed, LocalBus.LOCAL);
  }

  private void scan() {
    long nowMs = monotonicMs();
    GroupChanges changes = new GroupChanges();
    consumers.expire(nowMs - rules.clientExpiryMs(), nowMs, changes);
    producers.expire(nowMs - rules.clientExpiryMs(), changes);
    locks.sweep(nowMs);
    publish(changes);
    saver.saveChanged();
    saveConflicts();
  }

  /**
   * A member is one when what it and others want is known after a kill, too, where that is not the same. Another member may have
   * asked for that already.
   */
  private Future<Void> saveConflicts() {
    return consumers.takeRememberedChanged() ? conflicts.save() : conflicts.saveRunning();
  }

  /** The group's settings; a group made here is added to {@code changes}, its save to {@code pending}. */
  private Optional<GroupConfig> findOrCreate(String name, GroupChanges changes, List<Future<?>> pending) {
    Optional<GroupConfig> existing = groups.find(name);
    if (existing.isPresent()) {
      return existing;
    }
    Optional<GroupConfig> made = groups.create(name);
    if (made.isPresent()) {
      log.info("a consumer group was made group={}", name);
      changes.visible(name);
      pending.add(saver.save());
    }
    return made;
  }

  private void publish(GroupChanges changes) {
    if (!changes.visible().isEmpty()) {
      List<GroupSnapshot> changed =
          changes.visible().stream().map(groups::find).flatMap(Optional::stream).map(this::look).toList();
      tellLoops(new GroupsDelta(changed, List.of(), false));
    }
    for (String group : changes.membership()) {
      if (rules.notifyMembersChanged() && groups.find(group).filter(GroupConfig::notifyMembersChanged).isPresent()) {
        byLoop(consumers.connectionsToNotify(group)).forEach((loop, ids) ->
            vertx.eventBus().send(BusAddress.deltas(loop), new MembersChanged(group, ids), LocalBus.LOCAL));
      }
    }
    byLoop(changes.silent()).forEach((loop, ids) -> {
      String reason = "no heartbeat for " + rules.clientExpiryMs() + " ms";
      vertx.eventBus().send(BusAddress.deltas(loop), new CloseConnections(ids, reason), LocalBus.LOCAL);
    });
  }

  private void tellLoops(GroupsDelta delta) {
    for (int loop = 0; loop < loops; loop++) {
      vertx.eventBus().send(BusAddress.deltas(loop), delta, LocalBus.LOCAL);
    }
  }

  private long monotonicMs() {
    return clock.nanos() / 1_000_000;
  }

  private static TopicConfig retryTopic(GroupConfig group, boolean unitMode) {
    int queues = group.retryQueues();
    int sysFlag = unitMode ? UNIT_SUBSCRIPTION : 0;
    return new TopicConfig(
        Topics.retryOf(group.name()), queues, queues, Perm.READ_WRITE, "SINGLE_TAG", sysFlag, false, Map.of());
  }

  private static Map<Integer, List<Long>> byLoop(Collection<ClientConnection> connections) {
    Map<Integer, List<Long>> byLoop = new TreeMap<>();
    for (ClientConnection connection : connections) {
      byLoop.computeIfAbsent(connection.loop(), loop -> new ArrayList<>()).add(connection.connectionId());
    }
    return byLoop;
  }
}
