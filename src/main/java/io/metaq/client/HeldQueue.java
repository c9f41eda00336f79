package io.metaq.client;

import io.metaq.codec.admin.ConsumerRunning;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One queue in the hands of a member, from the moment it is the member's share until another may have it.
 *
 * <pre>
 *   waiting --its turn, its lock--> reading --another's share--> leaving --nothing in hand, or time is over--> over
 *      |  ^                          |  |  ^                                progress stored, lock given back
 *      |  +------- lock lost --------+  +--+ seek: a new reader
 *      +--another's share--> over
 * </pre>
 */
@OwnedBy("its client's context")
final class HeldQueue implements QueueReader.Inlet {
  private static final Logger log = LoggerFactory.getLogger(HeldQueue.class);
  private static final long LOCK_RETRY_MS = 500;
  private static final long SEND_BACK_RETRY_MS = 1000;
  private static final Duration REDELIVERY = Duration.ofSeconds(1);

  private final ClientParts parts;
  private final Home home;
  private final String group;
  private final TopicQueue queue;
  private final QueueRules rules;
  private final Recipients recipients;
  private final Progress progress;
  private final QueueLease lease;
  private final SendBacks sendBacks;
  private final Runnable onUnknownToBroker;
  private final Map<Subscriber, Outlet> outlets = new HashMap<>(2);
  private final Promise<Void> over = Promise.promise();
  private Optional<QueueReader> reader = Optional.empty();
  private MemberStatus.State state = MemberStatus.State.WAITING;
  private Future<Void> moving = Future.succeededFuture();
  private boolean paused;
  private boolean redelivering;
  private long lockedNs;
  private long lockedMs;
  private long stuckQueueOffset = -1;

  /** How far it was when the lock was lost, until that is stored: what was acknowledged by then must not come again. -1 for nothing. */
  private long unsaved = -1;

  /**
   * A queue that waits.
   *
   * @param onUnknownToBroker called when a broker says it does not know the group or its subscription
   */
  HeldQueue(
      ClientParts parts, String group, TopicQueue queue, QueueRules rules, Recipients recipients, Progress progress, QueueLease lease,
      SendBacks sendBacks, Runnable onUnknownToBroker) {
    this.parts = parts;
    this.home = parts.home();
    this.group = group;
    this.queue = queue;
    this.rules = rules;
    this.recipients = recipients;
    this.progress = progress;
    this.lease = lease;
    this.sendBacks = sendBacks;
    this.onUnknownToBroker = onUnknownToBroker;
  }

  TopicQueue queue() {
    return queue;
  }

  boolean ordered() {
    return rules.ordered();
  }

  /** Whether its lock is to be kept: not while it is given back. */
  boolean keepsLock() {
    return rules.ordered() && (state == MemberStatus.State.READING || isLeaving() && !nothingIsRead());
  }

  boolean isLeaving() {
    return state == MemberStatus.State.LEAVING;
  }

  /** Its former reader has let go of it. */
  void begin() {
    if (isOver() || state != MemberStatus.State.WAITING) {
      return;
    }
    if (rules.ordered()) {
      lockThenRead();
    } else {
      readFrom(this::beginning);
    }
  }

  /** Reads on after a first demand. */
  void demanded() {
    reader.ifPresent(QueueReader::read);
  }

  void pause(boolean pause) {
    paused = pause;
    reader.ifPresent(one -> one.pause(pause));
    handOut();
  }

  /** Where the group has come to in it, -1 while that is not known. */
  long progress() {
    return reader.filter(one -> !one.stopped()).map(QueueReader::progress).orElse(-1L);
  }

  /** Tells where the progress is kept how far it is, if that is news. */
  void noteProgress() {
    if (state == MemberStatus.State.READING) {
      progress.note(progress());
    }
  }

  /** Call once a second. */
  void tick() {
    long nowNs = home.clock().nanos();
    if (rules.ordered() && state == MemberStatus.State.READING && nowNs - lockedNs >= QueueLease.BELIEVED_NS) {
      lockLost("it could not be renewed");
    }
    lookForStuck(nowNs);
  }

  /**
   * The broker has renewed the lock: what waited because it was not believed in any more goes on.
   *
   * @param askedNs when it was asked
   */
  void lockRenewed(long askedNs) {
    lockedNs = askedNs;
    lockedMs = home.clock().millis();
    handOut();
  }

  /** The broker says that another member has the lock: nothing more is delivered until it is back. */
  void lockLost(String why) {
    if (state != MemberStatus.State.READING) {
      return;
    }
    log.warn("lock of a queue lost, it is read again when the lock is back group={} queue={} why={}", group, queue, why);
    unsaved = Math.max(unsaved, progress());
    stopReading();
    state = MemberStatus.State.WAITING;
    lockThenRead();
  }

  /** A subscriber is gone: what it has of this queue and did not settle, or would get, is sent back. */
  void forget(Subscriber subscriber) {
    Outlet gone = outlets.remove(subscriber);
    if (gone != null) {
      gone.end();
    }
  }

  /** Goes on elsewhere; completes when the progress is kept there. What is in hand cannot be settled any more. */
  Future<Void> seek(Supplier<Future<Long>> target) {
    if (state != MemberStatus.State.READING || isOver()) {
      return Future.failedFuture(notHeld(queue));
    }
    long before = progress();
    unsaved = -1;
    progress.note(before);
    return move(target, before < 0 ? this::beginning : () -> Future.succeededFuture(before));
  }

  /**
   * Reads on elsewhere once that is stored.
   *
   * @param otherwise where to read on when it cannot be stored
   */
  private Future<Void> move(Supplier<Future<Long>> target, Supplier<Future<Long>> otherwise) {
    stopReading();
    Promise<Void> done = Promise.promise();
    moving = done.future();
    target.get().map(offset -> Math.max(0, offset)).compose(offset -> progress.move(offset).map(offset)).onComplete(moved -> {
      if (state == MemberStatus.State.READING && !isOver()) {
        readFrom(moved.succeeded() ? () -> Future.succeededFuture(moved.result()) : otherwise);
      }
      done.handle(moved.mapEmpty());
    });
    return done.future();
  }

  /**
   * Another member shall have it. Completes when that may be: the messages in hand are settled or their time is over, the progress is
   * stored, the lock is given back.
   *
   * @param patient whether to wait for the messages in hand
   */
  Future<Void> leave(boolean patient) {
    if (isOver() || isLeaving() && patient) {
      return over.future();
    }
    boolean nothingRead = nothingIsRead();
    boolean wasLeaving = isLeaving();
    state = MemberStatus.State.LEAVING;
    outlets.values().forEach(outlet -> outlet.lane.clear());
    if (nothingRead) {
      end(moving.otherwiseEmpty().compose(done -> progress.finish(unsaved, true)));
      return over.future();
    }
    reader.get().end();
    if (!patient || rules.handoverMs() == 0 || reader.get().inHand() == 0) {
      finish(wasLeaving);
    } else {
      progress.note(progress());
      home.after(rules.handoverMs(), () -> finish(true));
    }
    return over.future();
  }

  @Override
  public boolean open() {
    return recipients.asked();
  }

  @Override
  public void message(QueueReader from, Received received) {
    if (recipients.unwanted(received)) {
      return;
    }
    Unsettled.Slot slot = from.taken(received);
    Optional<Subscriber> recipient = recipients.of(received);
    if (recipient.isPresent() && received.fault().isEmpty()) {
      Outlet outlet = outlets.computeIfAbsent(recipient.get(), Outlet::new);
      outlet.lane.add(new QueuedDelivery(home, from, slot, received, outlet));
    } else {
      log.warn(
          "message goes to nobody group={} queue={} queueOffset={} message={} why={}", group, queue, received.stored().queueOffset(),
          received.messageId(), received.fault().orElse("its topic '" + received.message().topic() + "' has no subscriber here"));
      from.passedOver(received);
      sendBackUnseen(from, slot, received);
    }
  }

  @Override
  public void handOut() {
    outlets.values().forEach(Outlet::offer);
  }

  @Override
  public void moved(long queueOffset) {
    Supplier<Future<Long>> there = () -> Future.succeededFuture(queueOffset);
    move(there, there).onFailure(failure -> log.warn(
        "progress not moved yet group={} queue={} queueOffset={} cause={}", group, queue, queueOffset, failure.getMessage()));
  }

  @Override
  public void unknownToBroker() {
    onUnknownToBroker.run();
  }

  MemberStatus.Queue status() {
    Optional<Unsettled.Slot> holdingUp = reader.flatMap(QueueReader::holdingUp);
    return new MemberStatus.Queue(
        queue, state, paused, progress(), reader.map(QueueReader::readUpTo).orElse(-1L), reader.map(QueueReader::maxOffset).orElse(-1L),
        outlets.values().stream().mapToInt(outlet -> outlet.lane.size()).sum(), reader.map(QueueReader::inHand).orElse(0),
        holdingUp
            .map(slot -> new MemberStatus.Stuck(slot.queueOffset(), ageMs(slot, home.clock().nanos())))
            .filter(stuck -> stuck.sinceMs() >= rules.stuckAfterMs()));
  }

  /** As tools are told. */
  ConsumerRunning.QueueState running() {
    int cached = reader.map(one -> one.inHand()).orElse(0) + outlets.values().stream().mapToInt(outlet -> outlet.lane.size()).sum();
    long readUpTo = reader.map(QueueReader::readUpTo).orElse(-1L);
    return new ConsumerRunning.QueueState(
        QueueLease.ref(queue), Math.max(0, progress()), cached, Math.max(0, readUpTo - 1), isLeaving(), lockedMs);
  }

  /** Whether another member must not read it yet. */
  boolean named() {
    return state != MemberStatus.State.WAITING;
  }

  static MetaqException notHeld(TopicQueue queue) {
    return MetaqException.of(MetaqException.Reason.QUEUE_LOST, "this client does not read " + queue + " now");
  }

  private boolean nothingIsRead() {
    return reader.filter(one -> !one.stopped()).isEmpty();
  }

  private boolean isOver() {
    return over.future().isComplete();
  }

  private void lockThenRead() {
    long askedNs = home.clock().nanos();
    lease.acquire(queue).onComplete(asked -> {
      boolean got = asked.succeeded() && asked.result();
      if (isOver() || state != MemberStatus.State.WAITING) {
        if (got) {
          lease.release(queue);
        }
      } else if (got) {
        lockRenewed(askedNs);
        readFrom(this::beginning);
      } else {
        home.after(LOCK_RETRY_MS, this::lockAgain);
      }
    });
  }

  private void lockAgain() {
    if (!isOver() && state == MemberStatus.State.WAITING) {
      lockThenRead();
    }
  }

  /** Reads with a new reader; one that is there is stopped, as when two moves end one after the other. */
  private void readFrom(Supplier<Future<Long>> beginning) {
    stopReading();
    Pulls.Reader who = new Pulls.Reader(group, rules.filter(), true);
    QueueReader fresh = parts.readers().make(queue, who, this, rules.readAhead(), rules.maxUnsettled());
    reader = Optional.of(fresh);
    state = MemberStatus.State.READING;
    fresh.pause(paused);
    fresh.start(beginning);
  }

  private Future<Long> beginning() {
    return progress.finish(unsaved, true).compose(done -> progress.load()).compose(kept -> {
      unsaved = -1;
      return kept.isPresent() ? Future.succeededFuture(kept.getAsLong()) : parts.offsets().of(queue, rules.position());
    });
  }

  /** Nothing that was read can be settled any more. */
  private void stopReading() {
    reader.ifPresent(QueueReader::stop);
    outlets.values().forEach(Outlet::drop);
    redelivering = false;
  }

  /** The progress as it is now is the last this member stores. */
  private void finish(boolean late) {
    if (isOver() || reader.get().stopped()) {
      return;
    }
    long last = progress();
    stopReading();
    end(progress.finish(last, late));
  }

  private void end(Future<Void> stored) {
    stored.compose(done -> lockedMs > 0 ? lease.release(queue) : Future.succeededFuture()).onComplete(done -> over.tryComplete());
  }

  private void settled() {
    if (isLeaving() && reader.isPresent() && reader.get().inHand() == 0) {
      finish(true);
    } else if (rules.ordered()) {
      handOut();
    }
  }

  private boolean gateOpen() {
    return !paused
        && (!rules.ordered()
            || !redelivering
                && reader.get().inHand() == 0
                && home.clock().nanos() - lockedNs < QueueLease.BELIEVED_NS);
  }

  private void lookForStuck(long nowNs) {
    Optional<Unsettled.Slot> oldest = reader.filter(one -> !one.stopped()).flatMap(QueueReader::holdingUp);
    oldest.filter(slot -> slot.queueOffset() != stuckQueueOffset && ageMs(slot, nowNs) >= rules.stuckAfterMs()).ifPresent(slot -> {
      stuckQueueOffset = slot.queueOffset();
      log.warn(
          "a message is not settled and holds up the progress of its queue group={} queue={} queueOffset={} sinceMs={} inHand={}",
          group, queue, slot.queueOffset(), ageMs(slot, nowNs), reader.get().inHand());
    });
  }

  private static long ageMs(Unsettled.Slot slot, long nowNs) {
    return (nowNs - slot.handedOutNs()) / 1_000_000;
  }

  /** Sends back what no subscriber gets, again until it succeeds: an open message holds up the progress of its queue. */
  private void sendBackUnseen(QueueReader from, Unsettled.Slot slot, Received received) {
    if (rules.local()) {
      from.settle(slot);
    } else if (!from.stopped()) {
      int level = rules.ordered() ? SendBackLevels.DEAD_LETTER : SendBackLevels.BY_BROKER;
      sendBacks.sendBack(queue, received, level, rules.maxRetries()).onComplete(sent -> {
        if (sent.succeeded()) {
          from.settle(slot);
        } else {
          home.after(SEND_BACK_RETRY_MS, () -> sendBackUnseen(from, slot, received));
        }
      });
    }
  }

  /** The way of this queue's messages to one subscriber, and back. */
  private final class Outlet implements Settlement {
    private final Subscriber subscriber;
    private final Lane lane = new Lane(HeldQueue.this::gateOpen);
    private final Set<QueuedDelivery> inHand = new HashSet<>();
    private boolean ended;

    Outlet(Subscriber subscriber) {
      this.subscriber = subscriber;
    }

    /** Nothing of it can be settled any more. */
    void drop() {
      lane.clear();
      inHand.clear();
    }

    void offer() {
      subscriber.feed().ready(lane);
      subscriber.feed().drain();
    }

    /** The subscriber is gone: nothing else would ever settle what it has. */
    void end() {
      ended = true;
      List<QueuedDelivery> unseen = lane.clear();
      unseen.forEach(delivery -> delivery.reader().passedOver(delivery.received()));
      List<QueuedDelivery> open = Stream.concat(inHand.stream(), unseen.stream()).filter(QueuedDelivery::lose).toList();
      open.forEach(delivery -> {
        delivery.takenBack();
        sendBackUnseen(delivery.reader(), delivery.slot(), delivery.received());
      });
      inHand.clear();
      settled();
    }

    @Override
    public void handedOut(QueuedDelivery delivery) {
      inHand.add(delivery);
      subscriber.delivered().add();
    }

    @Override
    public void acknowledged(QueuedDelivery delivery) {
      subscriber.acknowledged().add();
      inHand.remove(delivery);
      delivery.settle();
      settled();
    }

    @Override
    public Future<Void> sentBack(QueuedDelivery delivery, Optional<Duration> delay) {
      boolean dead = delay.filter(Duration::isNegative).isPresent();
      if (rules.redelivers() && !dead && !rules.usedUp(delivery.reconsumeTimes())) {
        subscriber.sentBack().add();
        deliverAgain(delivery, delay.orElse(REDELIVERY));
        return Future.succeededFuture();
      }
      if (rules.local()) {
        log.warn("message dropped, it has no retry left group={} queue={} queueOffset={}", group, queue, delivery.queueOffset());
        return done(delivery);
      }
      int level = dead || rules.ordered() ? SendBackLevels.DEAD_LETTER : delay.map(SendBackLevels::atLeast).orElse(SendBackLevels.BY_BROKER);
      return sendBacks.sendBack(queue, delivery.received(), level, subscriber.subscription().maxRetries()).compose(sent -> done(delivery))
          .onFailure(unsent -> {
            if (ended) {
              sendBackUnseen(delivery.reader(), delivery.slot(), delivery.received());
            }
          });
    }

    private Future<Void> done(QueuedDelivery delivery) {
      subscriber.sentBack().add();
      inHand.remove(delivery);
      delivery.settle();
      settled();
      return Future.succeededFuture();
    }

    private void deliverAgain(QueuedDelivery delivery, Duration delay) {
      inHand.remove(delivery);
      delivery.takenBack();
      redelivering = true;
      home.after(delay.toMillis(), () -> {
        if (!delivery.isLost() && !isLeaving()) {
          redelivering = false;
          lane.addFirst(delivery.again());
          offer();
        }
      });
      settled();
    }
  }
}
