package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.codec.pop.PopHandle;
import io.metaq.coordinator.PopReads.Found;
import io.metaq.coordinator.PopReads.Passed;
import io.metaq.coordinator.PopReads.Piece;
import io.metaq.coordinator.PopTarget.Waiter;
import io.metaq.coordinator.api.GroupPlace;
import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.PopProxy.Gone;
import io.metaq.coordinator.api.PopProxy.TurnedAway;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.coordinator.api.PopRequest.Kind;
import io.metaq.coordinator.api.PoppedQueue;
import io.metaq.coordinator.api.SettleOutcome;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.metaq.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pop consumption in rounds: {@link #fill} collects what is to be noted in the log into a batch, and when the batch is back from
 * the log's writer, {@link #settle} answers. Nobody gets a message whose check point is not stored, and nobody's acknowledgement is
 * answered before it is. Progress is noted when what it rests on is on disk, whoever waits for it: it goes to a file that is forced
 * by itself, and must not say more than the log has after a power cut. Bounds: {@link PopRules}.
 */
@OwnedBy("PopVerticle")
final class Pops {
  /** The check points of one pop surely fit into this. */
  private static final int ROOM_OF_A_POP = 96 * 1024;

  private static final Logger log = LoggerFactory.getLogger(Pops.class);

  private final PopRules rules;
  private final PopOutside outside;
  private final Clock clock;
  private final PopTable table;
  private final InFlight inFlight;
  private final PopRound round;
  private final Durables durables;
  private final Durables progress = new Durables(true);
  private final ReviveLog reviveLog;
  private final PopReads reads;
  private final WaitingPops waiting;
  private final OrderedPops ordered;
  private final Settlements settlements;
  private final Reviver reviver;
  private final Renewals renewals;
  private final ArrayDeque<PopRequest> requests = new ArrayDeque<>();
  private final Map<String, List<PopRequest>> strangers = new HashMap<>();
  private final List<Passed> passed = new ArrayList<>();
  private final Set<PopTarget> ready = new LinkedHashSet<>();
  private int nextReviveQueue;
  private int onTheWay;
  private long lastEnd;
  private boolean reviverFirst;

  /**
   * @param sender number among the senders of the commit log
   * @param storeHost the broker's advertised address as a record has it
   */
  Pops(PopLog store, PopRules rules, int sender, byte[] storeHost, Clock clock, RandomGenerator random, PopOutside outside) {
    this.rules = rules;
    this.outside = outside;
    this.clock = clock;
    table = new PopTable(outside::adopted);
    inFlight = new InFlight(rules.reviveQueues());
    round = new PopRound(sender, rules.syncFlush());
    durables = new Durables(rules.syncFlush());
    reviveLog = new ReviveLog(rules, storeHost, clock);
    reads = new PopReads(store, rules, random);
    waiting = new WaitingPops(rules, table, outside);
    ordered = new OrderedPops(table, inFlight, reviveLog, durables, clock, this::orderChanged, this::hasAgain);
    settlements = new Settlements(table, inFlight, store, reviveLog, ordered, durables, clock, rules.maxCheckpoints());
    reviver = new Reviver(inFlight, store, new RetryCopies(storeHost), settlements, outside, clock);
    renewals = new Renewals(inFlight, reviveLog, rules.span());
  }

  PopTable table() {
    return table;
  }

  InFlight inFlight() {
    return inFlight;
  }

  OrderedPops ordered() {
    return ordered;
  }

  AppendBatch batch() {
    return round.batch();
  }

  // What comes from outside.

  void add(PopRequest request) {
    if (table.knows(request.group())) {
      requests.add(request);
    } else {
      boolean asked = strangers.containsKey(request.group());
      List<PopRequest> alike = strangers.computeIfAbsent(request.group(), group -> new ArrayList<>());
      alike.add(request);
      if (!asked) {
        outside.follow(request.group());
      }
    }
  }

  /** A group's progress is known; null when it could not be found out. */
  void learn(String group, List<GroupPlace> progress) {
    List<PopRequest> alike = strangers.remove(group);
    if (progress == null) {
      alike.forEach(request ->
          refuse(request, ResultCode.SYSTEM_ERROR, "the progress of group " + group + " cannot be found out now"));
    } else {
      table.learn(group, progress);
      requests.addAll(alike);
    }
  }

  void add(List<SettleRequest> said, Consumer<List<SettleOutcome>> answer) {
    SettleTask.of(said, answer).forEach(settlements::add);
  }

  /** A watched queue has messages now. */
  void arrived(String topic, int queueId) {
    ready.addAll(waiting.arrived(topic, queueId));
  }

  /** Somebody else moved a group. */
  void moved(GroupPlace place) {
    table.moved(place);
    lookAgain(place.group(), place.topic());
  }

  /** A queue has again what could not be noted, and others may have looked in vain since it was taken. */
  private void hasAgain(PopQueue queue) {
    lookAgain(queue.group(), queue.topic());
  }

  private void lookAgain(String group, String topic) {
    table.targetsOf(topic).stream().filter(target -> target.group().equals(group) && !target.waiters().isEmpty())
        .forEach(ready::add);
  }

  void forgetGroup(String group) {
    inFlight.forget(queue -> queue.group().equals(group));
    table.forgetGroup(group).forEach(this::gone);
    reviver.topicsAreGone();
  }

  void forgetTopic(String topic) {
    inFlight.forget(queue -> PopTable.isOf(queue, topic));
    table.forgetTopic(topic).forEach(this::gone);
    waiting.forget(topic);
    reviver.topicsAreGone();
  }

  /** Who waits there asks again, and hears what is the matter. */
  private void gone(PopTarget target) {
    ready.remove(target);
    waiting.remove(target).forEach(this::timedOut);
  }

  void topicIsThere(String retryTopic) {
    reviver.topicIsThere(retryTopic);
  }

  /** A connection ended; of a loop that stops, whoever waits is answered. */
  void gone(Gone gone) {
    List<PopRequest> removed = takeOut(gone::concerns);
    if (gone.connectionId() == Gone.ALL) {
      removed.forEach(this::timedOut);
    }
  }

  /** Groups may not consume any more: who waits for one asks again, and hears it. */
  void turnAway(TurnedAway turnedAway) {
    takeOut(turnedAway::concerns).forEach(this::timedOut);
  }

  /** Those that have no messages yet. */
  private List<PopRequest> takeOut(Predicate<PopRequest> meant) {
    List<PopRequest> removed = waiting.remove(meant);
    requests.stream().filter(meant).forEach(removed::add);
    requests.removeIf(meant);
    for (List<PopRequest> alike : strangers.values()) {
      alike.stream().filter(meant).forEach(removed::add);
      alike.removeIf(meant);
    }
    return removed;
  }

  int waiting(String group, String topic, int queueId) {
    PopTarget target = table.find(group, topic);
    return target == null ? 0 : target.waiting(queueId);
  }

  /** The log is on disk up to here. */
  void flushed(long phyOffset) {
    progress.flushed(phyOffset);
    durables.flushed(phyOffset);
  }

  /** Does something when all that is appended by now is on disk. */
  void whenOnDisk(Runnable action) {
    progress.when(lastEnd, action);
  }

  /** Whether progress waits to be noted until the log is on disk. */
  boolean progressWaits() {
    return !progress.isEmpty();
  }

  /** Answers who has waited long enough, and looks for queues whose time of being blocked is over. */
  void tick() {
    long nowMs = clock.millis();
    waiting.expire(nowMs, this::timedOut);
    for (PopTarget target : table.targets()) {
      if (!target.waiters().isEmpty() && target.queues().stream().anyMatch(queue -> queue.isFreeAgain(nowMs))) {
        ready.add(target);
      }
    }
  }

  // Rounds.

  /**
   * Collects what is to be noted. Afterwards either the batch holds records and must come back through {@link #settle}, or it is
   * empty.
   *
   * @return whether there is more to do
   */
  boolean fill() {
    reviverFirst = !reviverFirst;
    boolean all = reviverFirst ? reviver.fill(round) & settlements.fill(round) : settlements.fill(round) & reviver.fill(round);
    renewals.fill(round);
    all &= serveWaiting();
    all &= serveRequests();
    all &= ordered.fill(round);
    if (batch().count() == 0) {
      commitPassed();
    }
    return !all;
  }

  /**
   * Takes in what became of the batch.
   *
   * @return whether all of it was stored
   */
  boolean settle() {
    boolean allStored = true;
    for (int i = 0; i < batch().count(); i++) {
      boolean stored = batch().status(i) == AppendStatus.STORED;
      allStored &= stored;
      lastEnd = stored ? batch().endOffset(i) : lastEnd;
    }
    round.settle();
    commitPassed();
    return allStored;
  }

  /** Whether nothing is left to be noted or answered but those who wait for messages. */
  boolean idle() {
    return settlements.isEmpty() && requests.isEmpty() && ready.isEmpty() && durables.isEmpty();
  }

  private boolean serveWaiting() {
    while (!ready.isEmpty()) {
      if (!round.hasRoom(ROOM_OF_A_POP)) {
        return false;
      }
      PopTarget target = ready.iterator().next();
      ready.remove(target);
      if (!serveWaiting(target)) {
        ready.add(target);
        return false;
      }
    }
    return true;
  }

  /**
   * Serves those who wait in a target, the first first. When one for whom any queue will do finds nothing, nobody else looks at
   * those queues; it watches them for all. One who pops in order does not speak for those behind: the retry topic may have
   * something for them.
   */
  private boolean serveWaiting(PopTarget target) {
    int empty = 0;
    for (Waiter waiter : List.copyOf(target.waiters())) {
      PopRequest request = waiter.request();
      if (request.anyQueue() ? request.readQueues() <= empty : request.queueId() < empty) {
        continue;
      }
      if (!round.hasRoom(ROOM_OF_A_POP)) {
        return false;
      }
      if (serve(request, target)) {
        waiting.remove(waiter);
      } else {
        waiting.watch(request, target, clock.millis());
        if (request.anyQueue() && !request.ordered()) {
          empty = request.readQueues();
        }
      }
      if (empty >= target.queues().size()) {
        return true;
      }
    }
    return true;
  }

  private boolean serveRequests() {
    for (int left = requests.size(); left > 0; left--) {
      if (!round.hasRoom(ROOM_OF_A_POP)) {
        return false;
      }
      PopRequest request = requests.poll();
      PopTarget target = table.target(request.group(), request.topic(), request.readQueues(), request.retryQueues());
      if (!serve(request, target)) {
        hold(request, target);
      }
    }
    return requests.isEmpty();
  }

  private void hold(PopRequest request, PopTarget target) {
    if (request.holdUntilMs() <= clock.millis()) {
      timedOut(request);
    } else if (waiting.hasRoomFor(request, target)) {
      waiting.add(request, target, clock.millis());
    } else {
      refuse(request, ResultCode.POLLING_FULL,
          "too many pops of group " + request.group() + " wait for topic " + request.topic()
              + " (popPollingSize, maxPopPollingSize)");
    }
  }

  /** Whether the request needs nothing more: it was answered, or will be when its check points are stored. */
  private boolean serve(PopRequest request, PopTarget target) {
    if (request.kind() == Kind.POP && !request.ordered() && inFlight.size() + onTheWay >= rules.maxCheckpoints()) {
      refuse(request, ResultCode.FLOW_CONTROL, inFlight.size() + " check points are in flight, at most " + rules.maxCheckpoints()
          + " may be (popCkMaxBufferSize); acknowledge what was popped");
      return true;
    }
    Found found;
    try {
      found = reads.read(request, target, clock.millis());
    } catch (RuntimeException | Error failure) {
      // Here, because others wait behind this one.
      log.error("a pop cannot read its queues group={} topic={}", request.group(), request.topic(), failure);
      refuse(request, ResultCode.SYSTEM_ERROR, "the read failed: " + failure.getMessage());
      return true;
    }
    if (request.kind() == Kind.POP) {
      passed.addAll(found.passed());
    }
    if (found.isEmpty()) {
      return found.unfinished() && request.kind() == Kind.POP && again(request);
    }
    switch (request.kind()) {
      case POP -> give(request, found);
      case PEEK -> answer(request, new PopAnswer(
          request.ticket(), ResultCode.SUCCESS, null, clock.millis(), request.invisibleMs(), 0, found.rest(),
              queues(found.pieces()), ""));
      case NOTICE -> {
        found.release();
        answer(request, PopAnswer.empty(request, ResultCode.SUCCESS, null, clock.millis(), found.rest() + 1));
      }
    }
    return true;
  }

  /**
   * There may be something behind what it does not want: it goes on when others had their turn. Only for a pop, which has moved the
   * queue: whoever just looks would look at the same again, for ever.
   */
  private boolean again(PopRequest request) {
    requests.add(request);
    return true;
  }

  private void give(PopRequest request, Found found) {
    if (request.ordered()) {
      new OrderedDelivery(request, found).note();
    } else {
      new Delivery(request, found).note();
    }
  }

  private static List<PoppedQueue> queues(List<Piece> pieces) {
    return pieces.stream().map(piece -> new PoppedQueue(
        piece.retry(), piece.queue().queueId(), piece.before(), piece.queueOffsets(), piece.result().slices(),
        piece.result().bytes())).toList();
  }

  private void commit(PopQueue queue, long next) {
    if (queue.note(next)) {
      outside.commit(queue.place(next));
    }
  }

  /** What was passed over counts when all that was taken before is noted. */
  private void commitPassed() {
    if (!passed.isEmpty()) {
      List<Passed> all = List.copyOf(passed);
      passed.clear();
      progress.when(lastEnd, () -> all.forEach(one -> commit(one.queue(), one.next())));
    }
  }

  /** A queue that was blocked may give something now. */
  private void orderChanged(PopQueue queue) {
    commit(queue, queue.next());
    PopTarget target = table.find(queue.group(), queue.topic());
    if (target != null && !target.waiters().isEmpty()) {
      ready.add(target);
    }
  }

  private void timedOut(PopRequest request) {
    ResultCode code = switch (request.kind()) {
      case POP -> ResultCode.POLLING_TIMEOUT;
      case PEEK -> ResultCode.PULL_NOT_FOUND;
      case NOTICE -> ResultCode.SUCCESS;
    };
    answer(request, PopAnswer.empty(request, code, null, clock.millis(), 0));
  }

  private void refuse(PopRequest request, ResultCode code, String remark) {
    answer(request, PopAnswer.empty(request, code, remark, clock.millis(), 0));
  }

  private void answer(PopRequest request, PopAnswer answer) {
    outside.answer(request.loop(), answer);
  }

  /** Messages on their way to a client: given away when all their check points are settled. */
  @OwnedBy("PopVerticle")
  private final class Delivery {
    private final PopRequest request;
    private final Found found;
    private final long popTimeMs = clock.millis();
    private final int reviveQueueId;
    private final List<Piece> noted = new ArrayList<>(2);
    private int open;
    private long end;
    private String fault;

    Delivery(PopRequest request, Found found) {
      this.request = request;
      this.found = found;
      reviveQueueId = nextReviveQueue;
      nextReviveQueue = (nextReviveQueue + 1) % rules.reviveQueues();
    }

    void note() {
      open = found.pieces().size();
      onTheWay += open;
      for (Piece piece : found.pieces()) {
        Checkpoint checkpoint = new Checkpoint(
            piece.queue(), piece.before(), popTimeMs, request.invisibleMs(), reviveQueueId, piece.differences(), false,
            piece.queue().movedMs());
        reviveLog.addCheckpoint(round, checkpoint, (status, detail, reviveOffset, endOffset) -> {
          onTheWay--;
          if (status == AppendStatus.STORED) {
            inFlight.reviveQueue(checkpoint).wrote(reviveOffset);
            if (piece.queue().isKnown()) {
              inFlight.add(checkpoint, reviveOffset);
            }
            noted.add(piece);
            end = endOffset;
          } else {
            PopReads.giveBack(piece);
            hasAgain(piece.queue());
            fault = detail;
          }
          if (--open == 0) {
            progress.when(end, () -> noted.forEach(one -> commit(one.queue(), one.next())));
            durables.when(end, this::send);
          }
        });
      }
    }

    private void send() {
      if (noted.isEmpty()) {
        refuse(request, ResultCode.SYSTEM_ERROR, "what is popped could not be noted: " + fault);
        return;
      }
      answer(request, new PopAnswer(
          request.ticket(), ResultCode.SUCCESS, null, popTimeMs, request.invisibleMs(), reviveQueueId, found.rest(), queues(noted),
              ""));
    }
  }

  /** The same for messages that were popped in order, when it is noted where their queues stand. */
  @OwnedBy("PopVerticle")
  private final class OrderedDelivery {
    private final PopRequest request;
    private final Found found;
    private final long popTimeMs = clock.millis();
    private final StringBuilder counts = new StringBuilder();
    private final List<Piece> noted = new ArrayList<>(2);
    private int open;
    private String fault;

    OrderedDelivery(PopRequest request, Found found) {
      this.request = request;
      this.found = found;
    }

    void note() {
      open = found.pieces().size();
      for (Piece piece : found.pieces()) {
        ordered.popped(piece, request.attemptId(), popTimeMs, request.invisibleMs(), noFault -> {
          if (noFault == null) {
            noted.add(piece);
          } else {
            piece.result().release();
            fault = noFault;
          }
          if (--open == 0) {
            send();
          }
        });
        OrderedPops.appendCounts(piece, counts);
      }
    }

    private void send() {
      if (noted.isEmpty()) {
        refuse(request, ResultCode.SYSTEM_ERROR, "what is popped could not be noted: " + fault);
        return;
      }
      answer(request, new PopAnswer(
          request.ticket(), ResultCode.SUCCESS, null, popTimeMs, request.invisibleMs(), PopHandle.ORDERED, found.rest(),
              queues(noted),
          counts.toString()));
    }
  }
}
