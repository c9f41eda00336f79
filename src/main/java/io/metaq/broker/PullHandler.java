package io.metaq.broker;

import io.metaq.bus.Arrivals;
import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.PullAnswers;
import io.metaq.codec.remoting.PullHeader;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.GroupsDelta;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.OffsetReset;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.RecordFilter;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Subscription;
import io.metaq.net.Connection;
import io.metaq.net.InboundFrame;
import io.metaq.store.GetResult;
import io.metaq.store.StoreException;
import io.metaq.store.StoreView;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the pulls: PULL_MESSAGE and LITE_PULL_MESSAGE (11, 361). What lies near the end of the log is answered on the loop, what
 * lies far behind is read by a worker first; a pull that finds nothing is parked for as long as it permits.
 */
@OwnedBy("its event loop")
final class PullHandler implements RequestHandler {
  private static final Logger log = LoggerFactory.getLogger(PullHandler.class);

  private static final int COMMIT = 0x1;
  private static final int SUSPEND = 0x2;
  private static final int SUBSCRIPTION = 0x4;
  /** Who asks to be held without end comes back once a day. */
  private static final long LONGEST_HOLD_MS = 24L * 3600 * 1000;

  private final BrokerOptions options;
  private final LoopTopics topics;
  private final LoopGroups groups;
  private final Filters filters;
  private final GroupsProxy groupCoordinator;
  private final OffsetSink offsets;
  private final LoopResets resets;
  private final HeldProgress held;
  private final StoreView store;
  private final ColdReads coldReads;
  private final FarPace pace;
  private final WaitingTurns turns;
  private final ParkedPulls parked;
  private final MasterSight master;
  private final Clock clock;
  private final ReadFailures failures;
  private final LoopFigures figures;
  private final PullHeader header = new PullHeader();
  private final PullAnswers answers = new PullAnswers();
  private final ByteSink sink = new ByteSink(1024);
  // Of the request that the header holds.
  private SerializeType type;

  PullHandler(
      Context context, BrokerOptions options, LoopTopics topics, LoopGroups groups, Filters filters, GroupsProxy groupCoordinator,
      OffsetSink offsets, LoopResets resets, HeldProgress held, StoreView store, ColdReads coldReads, ParkedPulls parked,
      MasterSight master, Clock clock, LoopFigures figures) {
    this.options = options;
    this.topics = topics;
    this.groups = groups;
    this.filters = filters;
    this.groupCoordinator = groupCoordinator;
    this.offsets = offsets;
    this.resets = resets;
    this.held = held;
    this.store = store;
    this.coldReads = coldReads;
    this.pace = new FarPace(options::catchUpShare, clock);
    this.turns = new WaitingTurns(context, connection -> pace.unpaidNs(connection.id()), this::turnCame);
    this.parked = parked;
    this.master = master;
    this.clock = clock;
    this.failures = new ReadFailures(clock);
    this.figures = figures;
  }

  @Override
  public void handle(Connection connection, InboundFrame frame) {
    header.read(frame.header(), frame.headerLength(), frame.type());
    type = frame.type();
    Optional<GroupSnapshot> group = groups.find(header.group());
    if (group.isPresent()) {
      pull(connection, frame.code(), group.get());
      return;
    }
    HeldRequest held = HeldRequest.copyOf(connection, frame);
    String name = header.group();
    groupCoordinator
        .ensure(name)
        .onSuccess(made -> {
          readInto(held);
          Optional<GroupSnapshot> now = groups.find(name);
          if (now.isPresent()) {
            pull(connection, held.code(), now.get());
          } else {
            refuse(connection, ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumer group " + name + " does not exist");
          }
        })
        .onFailure(failure -> {
          readInto(held);
          refuse(connection, ResultCode.SYSTEM_ERROR, failure.getMessage());
        });
  }

  private void readInto(HeldRequest held) {
    held.readInto(header);
    type = held.type();
  }

  /** Watched queues have messages now. */
  void arrived(Arrivals arrivals) {
    for (int i = 0; i < arrivals.count(); i++) {
      for (Pull pull : parked.take(arrivals.topic(i), arrivals.queueId(i))) {
        read(pull, true);
      }
    }
  }

  /** Answers the parked pulls whose time is up. */
  void sweep() {
    parked.expire(clock.nanos(), this::answerEmpty);
  }

  /** A group was moved: those of its pulls that wait go where it was moved to. */
  void moved(OffsetReset reset) {
    resets.apply(reset);
    reset.offsets().forEach((queueId, queueOffset) -> {
      Consumer<Pull> send = pull -> {
        resets.settle(reset.group(), reset.topic(), queueId);
        sendTo(pull, queueOffset);
      };
      parked.take(reset.group(), reset.topic(), queueId).forEach(send);
      turns.drain(pull -> isOf(pull, reset.group()) && pull.topic().equals(reset.topic()) && pull.queueId() == queueId, send);
    });
  }

  /**
   * Groups look different: a pull that waits knows nothing of what others of its group want by now, nor that it may not read any
   * more, so it has to come again.
   */
  void changed(GroupsDelta delta) {
    for (GroupSnapshot group : delta.changed()) {
      if (group.conflict().holdsProgress() || !group.config().consumeEnabled()) {
        sendAway(pull -> isOf(pull, group.config().name()));
      } else if (!group.forbiddenTopics().isEmpty()) {
        sendAway(pull -> isOf(pull, group.config().name()) && group.forbiddenTopics().contains(pull.topic()));
      }
    }
    delta.removed().forEach(name -> sendAway(pull -> isOf(pull, name)));
  }

  private void sendAway(Predicate<Pull> waiting) {
    parked.drain(waiting, this::answerEmpty);
    turns.drain(waiting, this::answerEmpty);
  }

  private static boolean isOf(Pull pull, String group) {
    return pull.group().name().equals(group);
  }

  /** This slave's master began or ceased to answer: whoever waits here may be better served there. */
  void masterChanged() {
    if (master.reachable()) {
      parked.drain(this::answerEmpty);
    }
  }

  /** Forgets what a closed connection waits for. */
  void gone(Connection connection) {
    parked.gone(connection);
    turns.gone(connection);
    pace.gone(connection.id());
  }

  /** Answers every pull that waits, so that clients go elsewhere. */
  void stop() {
    parked.drain(this::answerEmpty);
    turns.drain(pull -> true, this::answerEmpty);
  }

  /** The pull that {@link #header} holds. */
  private void pull(Connection connection, int code, GroupSnapshot group) {
    if (options.slave() && !options.slaveReads()) {
      refuse(
          connection, ResultCode.SYSTEM_BUSY, "broker " + options.brokerName() + " with id " + options.brokerId()
              + " is a slave that may not be read (slaveReadEnable); " + master.words());
      return;
    }
    if (!Perm.readable(options.permission())) {
      refuse(connection, ResultCode.NO_PERMISSION, "broker " + options.brokerName() + " may not be read: its permission has no read bit");
      return;
    }
    if (code == RequestCode.LITE_PULL_MESSAGE.wire() && !options.litePull()) {
      refuse(connection, ResultCode.NO_PERMISSION, "lite pull is switched off (litePullMessageEnable)");
      return;
    }
    if (!group.config().consumeEnabled()) {
      refuse(connection, ResultCode.NO_PERMISSION, "consumption of group " + header.group() + " is switched off");
      return;
    }
    TopicEntry topic = topics.find(header.topic()).orElse(null);
    if (topic == null) {
      refuse(connection, ResultCode.TOPIC_NOT_EXIST, "topic " + header.topic() + " does not exist on broker " + options.brokerName());
      return;
    }
    if (!topic.readable()) {
      refuse(connection, ResultCode.NO_PERMISSION, "topic " + topic.name() + " may not be read: its permission has no read bit");
      return;
    }
    if (header.queueId() < 0 || header.queueId() >= topic.config().readQueues()) {
      refuse(
          connection, ResultCode.INVALID_PARAMETER,
          "queue " + header.queueId() + " does not exist: topic " + topic.name() + " has " + topic.config().readQueues() + " queues to read");
      return;
    }
    if (group.forbiddenTopics().contains(topic.name())) {
      refuse(connection, ResultCode.NO_PERMISSION, "group " + header.group() + " is forbidden to read topic " + topic.name());
      return;
    }
    Supplier<RecordFilter> filter = filter(connection, topic, group);
    if (filter == null) {
      return;
    }
    Optional<LoopResets.Target> moved = resets.find(header.group(), topic.name(), header.queueId());
    if (moved.isPresent()) {
      resets.settle(header.group(), topic.name(), header.queueId());
      if (moved.get().always() || header.queueOffset() != moved.get().queueOffset()) {
        sendTo(accepted(connection, topic, filter, group), moved.get().queueOffset());
        return;
      }
    }
    held.readFrom(header.group(), topic.name(), header.queueId(), header.queueOffset());
    if ((header.sysFlag() & COMMIT) != 0 && header.commitOffset() >= 0) {
      offsets.commit(header.group(), topic.name(), header.queueId(), header.commitOffset());
    }
    readInTurn(accepted(connection, topic, filter, group), mayHold());
  }

  /** What the reader committed before the move counts for nothing; it begins anew there. */
  private void sendTo(Pull pull, long queueOffset) {
    write(
        pull, ResultCode.PULL_OFFSET_MOVED, queueOffset, store.minOffset(pull.topic(), pull.queueId()),
        store.maxOffset(pull.topic(), pull.queueId()), 0, suggestion(pull, false));
  }

  private boolean mayHold() {
    return (header.sysFlag() & SUSPEND) != 0 && header.suspendTimeoutMs() > 0;
  }

  private Pull accepted(Connection connection, TopicEntry topic, Supplier<RecordFilter> filter, GroupSnapshot group) {
    long holdMs = options.longPolling() ? Math.min(header.suspendTimeoutMs(), LONGEST_HOLD_MS) : options.shortPollingMs();
    if (options.slave() && master.reachable()) {
      // The answer sends the reader to the master; one whose route does not have the master yet comes back, but not in a rush.
      holdMs = Math.min(holdMs, options.shortPollingMs());
    }
    int maxMessages = Math.max(1, Math.min(header.maxMsgNums(), options.maxPullMessages()));
    int maxBytes = header.maxMsgBytes() > 0 ? Math.min(header.maxMsgBytes(), options.maxPullBytes()) : options.maxPullBytes();
    return new Pull(
        connection, header.opaque(), type, topic.name(), header.queueId(), header.queueOffset(), maxMessages, maxBytes, filter, group,
        topic.readBy(group.config().name(), figures.tallies()), clock.nanos() + holdMs * 1_000_000);
  }

  /** What the pull wants of the topic; null when it was refused. */
  private Supplier<RecordFilter> filter(Connection connection, TopicEntry topic, GroupSnapshot group) {
    boolean brought = (header.sysFlag() & SUBSCRIPTION) != 0;
    Subscription wanted = brought ? brought(topic) : registered(connection, topic, group);
    if (wanted == null) {
      return null;
    }
    Supplier<RecordFilter> selection = wanted.isTag()
        ? tags(wanted)
        : sql(connection, filters.compile(wanted.type(), wanted.expression()),
            brought ? ResultCode.SUBSCRIPTION_PARSE_FAILED : ResultCode.FILTER_DATA_NOT_EXIST);
    return selection == null || !group.conflict().holdsProgress() ? selection : watchful(selection, group.othersThan(wanted));
  }

  private Subscription brought(TopicEntry topic) {
    String kind = header.expressionType();
    return kind.isEmpty() || kind.equals(Subscription.TAG)
        ? Subscription.ofTags(topic.name(), header.subscription(), header.subVersion())
        : new Subscription(topic.name(), header.subscription(), kind, Set.of(), Set.of(), header.subVersion());
  }

  /** What the reader's heartbeats say that it wants of the topic; null when the pull was refused. */
  private Subscription registered(Connection connection, TopicEntry topic, GroupSnapshot group) {
    if (!group.online()) {
      refuse(connection, ResultCode.SUBSCRIPTION_NOT_EXIST, "group " + header.group() + " has no connected member; a heartbeat registers one");
      return null;
    }
    if (group.broadcasting() && !group.config().consumeBroadcastEnabled()) {
      refuse(connection, ResultCode.NO_PERMISSION, "group " + header.group() + " may not consume by broadcasting");
      return null;
    }
    if (group.conflict().holdsProgress() && !group.knows(connection.id())) {
      // By another member's filter it would get what it drops, and progress would get past that.
      refuse(
          connection, ResultCode.SUBSCRIPTION_NOT_LATEST, "the members of group " + header.group()
              + " want different things, and what the reader on this connection wants is not known; its next heartbeat says it");
      return null;
    }
    Subscription subscription = group.subscriptionsOf(connection.id()).get(topic.name());
    if (subscription == null) {
      refuse(connection, ResultCode.SUBSCRIPTION_NOT_EXIST, "group " + header.group() + " has not subscribed to topic " + topic.name());
      return null;
    }
    if (subscription.version() < header.subVersion()) {
      refuse(
          connection, ResultCode.SUBSCRIPTION_NOT_LATEST,
          "group " + header.group() + " has a newer subscription to topic " + topic.name() + " than this broker knows; the next heartbeat brings it");
      return null;
    }
    return subscription;
  }

  /** Notes what others of the group want and this reader passes over. A filter of theirs that is none wants nothing. */
  private Supplier<RecordFilter> watchful(Supplier<RecordFilter> own, List<Subscription> others) {
    List<Supplier<RecordFilter>> selections = new ArrayList<>();
    for (Subscription other : others) {
      if (other.isTag()) {
        selections.add(tags(other));
      } else if (filters.enabled()) {
        filters.compile(other.type(), other.expression()).selection().ifPresent(selections::add);
      }
    }
    return selections.isEmpty() ? own : new WatchfulSelection(own, selections);
  }

  private static Supplier<RecordFilter> tags(Subscription subscription) {
    RecordFilter filter = subscription::admits;
    return () -> filter;
  }

  private Supplier<RecordFilter> sql(Connection connection, Filters.Verdict verdict, ResultCode ifFaulty) {
    if (verdict.selection().isEmpty()) {
      refuse(connection, ifFaulty, verdict.fault());
      return null;
    }
    if (!filters.enabled()) {
      refuse(connection, ResultCode.SYSTEM_ERROR, Filters.disabledReason());
      return null;
    }
    return verdict.selection().get();
  }

  /**
   * Reads. A reader far behind waits for its turn, for sends come first, and a worker reads for it: what lies there may not be in memory
   * any more though it came in lately, and all sends of this loop would wait for the disk.
   */
  private void readInTurn(Pull pull, boolean mayHold) {
    if (!pace.readsFar(pull.connection().id()) || !isFar(pull)) {
      read(pull, mayHold);
    } else if (turns.mayGo(pull.connection())) {
      readFar(pull, mayHold);
    } else {
      figures.add(Figure.PULLS_PACED, 1);
      turns.await(new WaitingTurns.Turn(pull, mayHold));
    }
  }

  private boolean isFar(Pull pull) {
    try {
      return store.isFarBehind(pull.topic(), pull.queueId(), pull.queueOffset());
    } catch (StoreException failure) {
      // Whoever reads it is told.
      return false;
    }
  }

  private void turnCame(WaitingTurns.Turn turn) {
    readFar(turn.pull(), turn.mayHold());
  }

  private void readFar(Pull pull, boolean mayHold) {
    turns.begun(pull.connection());
    readCold(pull, mayHold, () -> turns.ended(pull.connection()));
  }

  private void read(Pull pull, boolean mayHold) {
    Optional<GetResult> hot;
    long startNs = clock.nanos();
    try {
      hot = coldReads.getIfHot(pull);
    } catch (RuntimeException | Error failure) {
      // Here, because other pulls that were woken too wait behind this one.
      fail(pull, failure);
      return;
    }
    hot.ifPresentOrElse(result -> answer(pull, result, startNs, mayHold), () -> readCold(pull, mayHold, () -> { }));
  }

  private void readCold(Pull pull, boolean mayHold, Runnable ended) {
    long startNs = clock.nanos();
    coldReads.read(pull,
        result -> {
          ended.run();
          answer(pull, result, startNs, mayHold);
        },
        failure -> {
          ended.run();
          fail(pull, failure);
        });
  }

  private void answer(Pull pull, GetResult result, long startNs, boolean mayHold) {
    figures.readTook(clock.nanos() - startNs);
    answer(pull, result, mayHold);
  }

  private void answer(Pull pull, GetResult result, boolean mayHold) {
    figures.add(result.count() > 0 ? Figure.PULLS_FOUND : Figure.PULLS_EMPTY, 1);
    long passedOver = firstPassedOver(pull);
    if (passedOver == WatchfulFilter.NONE) {
      tell(pull, result, mayHold);
      return;
    }
    // Nobody gets what lies behind before it is sure that what lies in front is not lost by it.
    held.passedOver(pull.connection(), pull.group().name(), pull.topic(), pull.queueId(), passedOver)
        .onSuccess(noted -> tell(pull, result, mayHold))
        .onFailure(failure -> {
          result.release();
          fail(pull, failure);
        });
  }

  private void tell(Pull pull, GetResult result, boolean mayHold) {
    if (options.slave() && outside(pull, result)) {
      notHere(pull, mayHold);
      return;
    }
    switch (result.status()) {
      case FOUND -> found(pull, result);
      case NO_MATCHED_MESSAGE -> unmatched(pull, result, mayHold);
      case MESSAGE_WAS_REMOVING -> head(pull, ResultCode.PULL_RETRY_IMMEDIATELY, result);
      // Not held: the queue does reach beyond the offset, so it would be woken at once, again and again.
      case OFFSET_FOUND_NULL -> head(pull, ResultCode.PULL_NOT_FOUND, result);
      case OFFSET_OVERFLOW_ONE -> notFound(pull, mayHold);
      case NO_MATCHED_LOGIC_QUEUE, NO_MESSAGE_IN_QUEUE, OFFSET_OVERFLOW_BADLY -> {
        if (numbered(pull)) {
          notFound(pull, mayHold);
        } else {
          head(pull, ResultCode.PULL_OFFSET_MOVED, result);
        }
      }
      case OFFSET_TOO_SMALL -> head(pull, ResultCode.PULL_OFFSET_MOVED, result);
    }
  }

  /** What others of its group want and the reader will not get; none for one that is gone. */
  private static long firstPassedOver(Pull pull) {
    return pull.filter() instanceof WatchfulSelection watchful && pull.connection().isOpen()
        ? watchful.firstPassedOver()
        : WatchfulFilter.NONE;
  }

  /** Whether the pull is outside of what the queue has. */
  private static boolean outside(Pull pull, GetResult result) {
    return switch (result.status()) {
      case OFFSET_OVERFLOW_BADLY, OFFSET_TOO_SMALL -> true;
      case NO_MATCHED_LOGIC_QUEUE, NO_MESSAGE_IN_QUEUE -> pull.queueOffset() != 0;
      case FOUND, NO_MATCHED_MESSAGE, MESSAGE_WAS_REMOVING, OFFSET_FOUND_NULL, OFFSET_OVERFLOW_ONE -> false;
    };
  }

  /**
   * Whether the writer has come to the pull's offset. Then a send of the reader may have been answered, and its message can be read
   * in a moment: to set the reader back would be wrong.
   */
  private boolean numbered(Pull pull) {
    return pull.queueOffset() >= 0 && pull.queueOffset() <= store.assignedEnd(pull.topic(), pull.queueId());
  }

  /** What a slave does not have may be at the master: its reader stays where it is. */
  private void notHere(Pull pull, boolean mayHold) {
    if (mayHold(pull, mayHold)) {
      parked.hold(pull);
    } else {
      answerEmpty(pull);
    }
  }

  /** A held pull that scanned to the end without a match goes on being held, behind what it scanned. */
  private void unmatched(Pull pull, GetResult result, boolean mayHold) {
    if (result.nextOffset() >= result.maxOffset() && mayHold(pull, mayHold)) {
      pull.advance(result.nextOffset());
      parked.park(pull);
    } else {
      head(pull, ResultCode.PULL_RETRY_IMMEDIATELY, result);
    }
  }

  private void notFound(Pull pull, boolean mayHold) {
    if (mayHold(pull, mayHold)) {
      parked.park(pull);
    } else {
      answerEmpty(pull);
    }
  }

  /**
   * A read may end, and what it passed over be held, after its connection is gone or its group looks different: nobody would take
   * the pull out again before its deadline.
   */
  private boolean mayHold(Pull pull, boolean asked) {
    return asked && pull.connection().isOpen() && clock.nanos() - pull.deadlineNs() < 0 && mayStillRead(pull);
  }

  /** Whether nothing has happened meanwhile that has sent away those that waited: {@link #changed}, {@link #moved}. */
  private boolean mayStillRead(Pull pull) {
    String name = pull.group().name();
    return resets.find(name, pull.topic(), pull.queueId()).isEmpty() && groups.find(name)
        .filter(group -> group.config().consumeEnabled() && !group.forbiddenTopics().contains(pull.topic()))
        .filter(group -> !group.conflict().holdsProgress() || group.conflict().equals(pull.conflict()))
        .isPresent();
  }

  /** Nothing there: the reader is to ask again, for the same offset. */
  private void answerEmpty(Pull pull) {
    write(
        pull, ResultCode.PULL_NOT_FOUND, pull.queueOffset(), store.minOffset(pull.topic(), pull.queueId()),
        store.maxOffset(pull.topic(), pull.queueId()), 0, suggestion(pull, false));
  }

  private void found(Pull pull, GetResult result) {
    Connection connection = pull.connection();
    try {
      boolean far = options.slaveReads() && !store.isHot(result.slices().get(0).phyOffset());
      write(
          pull, ResultCode.SUCCESS, result.nextOffset(), result.minOffset(), result.maxOffset(), result.bytes(), suggestion(pull, far));
    } catch (RuntimeException | Error failure) {
      result.release();
      throw failure;
    }
    if (!options.slave() && connection.isOpen()) {
      pace.gave(
          connection.id(), result.slices().get(0).phyOffset(), result.count(), result.bytes(), result.nextOffset() - pull.queueOffset(),
          store.appendedOffset());
    }
    connection.writeShared(result.slices());
    figures.add(Figure.MESSAGES_READ, result.count());
    figures.add(Figure.BYTES_READ, result.bytes());
    pull.readers().add(result.count(), result.bytes());
  }

  /** Which broker of this name the reader should ask next. */
  private long suggestion(Pull pull, boolean far) {
    if (!options.slaveReads() || !far && options.slave() && master.reachable()) {
      return BrokerOptions.MASTER_ID;
    }
    return far ? pull.group().whichBrokerWhenConsumeSlowly() : pull.group().brokerId();
  }

  /** An answer without messages. */
  private void head(Pull pull, ResultCode code, GetResult result) {
    write(pull, code, result.nextOffset(), result.minOffset(), result.maxOffset(), 0, suggestion(pull, false));
  }

  private void write(
      Pull pull, ResultCode code, long nextOffset, long minOffset, long maxOffset, int bodyBytes, long nextBrokerId) {
    sink.clear();
    answers.encode(sink, pull.type(), pull.opaque(), code, null, nextOffset, minOffset, maxOffset, nextBrokerId, bodyBytes);
    pull.connection().write(sink.array(), 0, sink.length());
  }

  private void fail(Pull pull, Throwable failure) {
    failures.dueAfter(pull.topic(), pull.queueId(), pull.queueOffset()).ifPresent(untold ->
        log.error(
            "a read failed topic={} queueId={} queueOffset={} untoldBefore={} remote={}",
            pull.topic(), pull.queueId(), pull.queueOffset(), untold, pull.connection().remote(), failure));
    refuse(pull.connection(), pull.opaque(), pull.type(), ResultCode.SYSTEM_ERROR, "the read failed: " + failure.getMessage());
  }

  private void refuse(Connection connection, ResultCode code, String reason) {
    refuse(connection, header.opaque(), type, code, reason);
  }

  private void refuse(Connection connection, int opaque, SerializeType serializeType, ResultCode code, String reason) {
    RemotingCommand request = RemotingCommand.decoded(RequestCode.PULL_MESSAGE.wire(), RemotingCommand.LANGUAGE, 0, opaque, 0, serializeType);
    connection.write(request.response(code, reason));
  }
}
