package io.metaq.client;

import io.metaq.codec.client.PullAnswer;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one queue for one subscriber, from where it was told, one request at a time, as far ahead as its window allows. Once stopped it
 * is of no use any more: what is still open of it cannot be settled.
 *
 * <pre>
 *   new --start--> finding its offset --> idle <--room, answer--> reading
 *                    |  ^                   |  ^
 *                    +--+ after a failure   +--+ after a failure, with growing delay
 *   any --end--> reads no more, what is open can be settled --stop--> stopped
 * </pre>
 */
@OwnedBy("its client's context")
final class QueueReader {
  private static final Logger log = LoggerFactory.getLogger(QueueReader.class);

  /** How long a broker may hold a request that finds nothing. */
  private static final long WAIT_MS = 15_000;

  /** A broker that has nothing and answers sooner holds no requests: it is asked with pauses. */
  private static final long HELD_NS = 50_000_000;

  private final Home home;
  private final Pulls pulls;
  private final RouteCache routes;
  private final Backoff backoff;
  private final TopicQueue queue;
  private final Pulls.Reader who;
  private final Inlet inlet;
  private final ReadWindow window;
  private final int maxUnsettled;
  private final Unsettled unsettled = new Unsettled();
  private long nextQueueOffset = -1;
  private long suggestedBrokerId;
  private int failures;
  private int notHeld;
  private long askedNs;
  private long maxQueueOffset = -1;
  private boolean busy;
  private boolean paused;
  private boolean ended;
  private boolean stopped;

  /** Where a reader's messages go. */
  interface Inlet {
    /** Whether messages are wanted at all yet. */
    boolean open();

    /** One message; {@link #handOut} follows after the last of an answer. */
    void message(QueueReader reader, Received received);

    /** The answer is complete. */
    void handOut();

    /**
     * The broker moved the reading, as after a reset, while messages are open that were read before. This reader is of no use then, another
     * has to begin.
     *
     * @param queueOffset where; a move back never passes over what is open: it may come from a slave that lags
     */
    void moved(long queueOffset);

    /** A broker said that it does not know this group or its subscription. */
    void unknownToBroker();
  }

  QueueReader(
      Home home,
      Pulls pulls,
      RouteCache routes,
      Backoff backoff,
      TopicQueue queue,
      Pulls.Reader who,
      Inlet inlet,
      int readAhead,
      int maxUnsettled) {
    this.home = home;
    this.pulls = pulls;
    this.routes = routes;
    this.backoff = backoff;
    this.queue = queue;
    this.who = who;
    this.inlet = inlet;
    this.window = new ReadWindow(readAhead);
    this.maxUnsettled = maxUnsettled;
  }

  TopicQueue queue() {
    return queue;
  }

  boolean stopped() {
    return stopped;
  }

  /** Finds out where to begin, again until it succeeds, then reads. */
  void start(Supplier<Future<Long>> beginning) {
    if (ended) {
      return;
    }
    busy = true;
    beginning
        .get()
        .onComplete(
            found -> {
              busy = false;
              if (found.succeeded()) {
                failures = 0;
                nextQueueOffset = Math.max(0, found.result());
                read();
              } else {
                failed("offset not found", found.cause(), () -> start(beginning));
              }
            });
  }

  /** Reads if there is room and nothing else to do first. Harmless at any time. */
  void read() {
    int room = window.room();
    if (ended || paused || busy || nextQueueOffset < 0 || room == 0 || unsettled.count() >= maxUnsettled || !inlet.open()) {
      return;
    }
    Address address = address();
    if (address == null) {
      routes.suspect(queue.topic());
      failed("queue not read", MetaqException.of(MetaqException.Reason.NO_BROKER, "broker " + queue.broker() + " is gone"), this::read);
      return;
    }
    busy = true;
    askedNs = home.clock().nanos();
    pulls.pull(address, queue, who, nextQueueOffset, room, WAIT_MS).onComplete(this::answered);
  }

  /**
   * A message goes to the subscriber.
   *
   * @param size bytes that leave the window, 0 for a message that left it before
   */
  void handedOut(Unsettled.Slot slot, int size) {
    unsettled.handedOut(slot, home.clock().nanos());
    if (size > 0) {
      window.left(size);
      read();
    }
  }

  /** The subscriber gave a message back. */
  void takenBack(Unsettled.Slot slot) {
    unsettled.takenBack(slot);
  }

  /** A message is done with. */
  void settle(Unsettled.Slot slot) {
    unsettled.settle(slot);
    read();
  }

  /** A message goes to nobody: it leaves the window. */
  void passedOver(Received received) {
    window.left(received.stored().size());
    read();
  }

  /** Takes note of a message that was read; the slot settles it. */
  Unsettled.Slot taken(Received received) {
    window.arrived(received.stored().size());
    return unsettled.add(received.stored().queueOffset());
  }

  /** Messages the subscriber has. */
  int inHand() {
    return unsettled.inHand();
  }

  /** The message that holds up the progress, when the subscriber has it. */
  Optional<Unsettled.Slot> holdingUp() {
    return unsettled.holdingUp();
  }

  /** The next message to read, -1 while that is not known. */
  long readUpTo() {
    return nextQueueOffset;
  }

  /** The next message the queue will get, as of the last answer; -1 before. */
  long maxOffset() {
    return maxQueueOffset;
  }

  /** Reads nothing more, or reads on. */
  void pause(boolean pause) {
    paused = pause;
    read();
  }

  /** Where the group has come to in this queue, -1 while that is not known. */
  long progress() {
    return unsettled.progress(nextQueueOffset);
  }

  /** Reads no more. What is open can still be settled. */
  void end() {
    ended = true;
  }

  /** Reads no more, and nothing can be settled. */
  void stop() {
    ended = true;
    stopped = true;
  }

  private Address address() {
    Route route = routes.ready(queue.topic());
    return route == null ? null : route.reading(queue.broker(), suggestedBrokerId).orElse(null);
  }

  private void answered(AsyncResult<Pulls.Batch> pulled) {
    busy = false;
    if (ended) {
      return;
    }
    if (pulled.failed()) {
      suggestedBrokerId = 0;
      routes.suspect(queue.topic());
      if (pulled.cause() instanceof MetaqException failure && doesNotKnowUs(failure.code())) {
        inlet.unknownToBroker();
      }
      failed("queue not read", pulled.cause(), this::read);
      return;
    }
    failures = 0;
    PullAnswer answer = pulled.result().answer();
    suggestedBrokerId = answer.suggestedBrokerId();
    if (answer.outcome() == PullAnswer.Outcome.MOVED) {
      log.warn(
          "read position was outside the queue and is moved topic={} broker={} queueId={} from={} to={} min={} max={}",
          queue.topic(), queue.broker(), queue.queueId(), nextQueueOffset, answer.nextQueueOffset(), answer.minQueueOffset(),
          answer.maxQueueOffset());
    }
    if (answer.outcome() == PullAnswer.Outcome.MOVED && unsettled.count() > 0 && !deletedBefore(answer)) {
      boolean back = answer.nextQueueOffset() < nextQueueOffset;
      inlet.moved(back ? Math.min(answer.nextQueueOffset(), progress()) : answer.nextQueueOffset());
      return;
    }
    boolean nothing = pulled.result().messages().isEmpty() && answer.nextQueueOffset() == nextQueueOffset;
    nextQueueOffset = answer.nextQueueOffset();
    maxQueueOffset = answer.maxQueueOffset();
    for (Received received : pulled.result().messages()) {
      inlet.message(this, received);
    }
    inlet.handOut();
    if (nothing && home.clock().nanos() - askedNs < HELD_NS) {
      notHeld++;
      pause(notHeld, this::read);
    } else {
      notHeld = 0;
      read();
    }
  }

  /** Whether the messages from here on are merely not kept any more; what is open goes on counting then. */
  private boolean deletedBefore(PullAnswer answer) {
    return answer.nextQueueOffset() == answer.minQueueOffset() && answer.nextQueueOffset() > nextQueueOffset;
  }

  private void failed(String what, Throwable cause, Runnable again) {
    if (ended) {
      return;
    }
    failures++;
    long delayMs = pause(failures, again);
    log.debug(
        "{}, tried again topic={} broker={} queueId={} delayMs={} cause={}",
        what, queue.topic(), queue.broker(), queue.queueId(), delayMs, cause.getMessage());
  }

  private long pause(int times, Runnable then) {
    busy = true;
    long delayMs = backoff.delayMs(times);
    home.after(delayMs, () -> {
      busy = false;
      then.run();
    });
    return delayMs;
  }

  private static boolean doesNotKnowUs(int code) {
    return code == ResultCode.SUBSCRIPTION_NOT_EXIST.wire()
        || code == ResultCode.SUBSCRIPTION_NOT_LATEST.wire()
        || code == ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST.wire();
  }
}
