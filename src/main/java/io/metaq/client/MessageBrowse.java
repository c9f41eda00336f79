package io.metaq.client;

import io.metaq.codec.client.PullAnswer;
import io.metaq.model.OwnedBy;
import io.metaq.model.Subscription;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a topic page by page, its queues merged by the time at which their messages were stored. */
@OwnedBy("its client's context")
final class MessageBrowse {
  /** Messages of one read. */
  private static final int READ_MESSAGES = 32;

  /** Of bodies of one queue, beyond which a page has no more of it: all queues of a topic are read for it. */
  private static final int STRIP_BYTES = 256 << 10;

  private final Home home;
  private final RouteCache routes;
  private final BrokerOffsets offsets;
  private final Pulls pulls;

  MessageBrowse(Home home, RouteCache routes, BrokerOffsets offsets, Pulls pulls) {
    this.home = home;
    this.routes = routes;
    this.offsets = offsets;
    this.pulls = pulls;
  }

  /**
   * What was read of one queue: no more than a page of it can be needed.
   *
   * @param end whether nothing more can be had of it now
   */
  private record Strip(TopicQueue queue, List<FoundMessage> messages, long next, boolean end) {}

  Future<MessagePage> page(String topic, Position from, int max) {
    // What is not reached now is looked for later where the end is now, not where it will be then.
    Position begin = from instanceof Position.Latest ? new Position.At(home.clock().millis()) : from;
    return routes.fetch(topic).compose(found -> routes.orFail(found, () -> TopicAdmin.unknown(topic)))
        .compose(route -> AdminCalls.gatherOf(route.readable(), TopicQueue::broker, queue ->
            AdminCalls.named(queue, "browse topic '" + topic + "'", offsets.of(queue, from)
                .compose(offset -> strip(route, queue, offset, max, new ArrayList<>()))
                .map(strip -> start(queue, from) instanceof Position.At at ? notBefore(strip, at.timestampMs()) : strip))))
        .map(found -> page(found, begin, max));
  }

  /** Where reading of one queue begins. */
  private static Position start(TopicQueue queue, Position from) {
    return from instanceof Position.Offsets offsets && !offsets.byQueue().containsKey(queue) ? offsets.others() : from;
  }

  /**
   * Always the queue whose next message is the oldest, each queue in its own order also where the clock of its broker went back; up to a
   * message that is not known, because it was not read yet.
   */
  private static MessagePage page(AdminCalls.Gathered<Strip> found, Position from, int max) {
    List<Shown> queues = found.parts().stream().map(Shown::new).toList();
    List<FoundMessage> merged = new ArrayList<>();
    while (merged.size() < max && queues.stream().noneMatch(Shown::goesOnUnread)) {
      Optional<Shown> oldest = queues.stream().filter(queue -> !queue.wholly()).min(Comparator.comparing(Shown::first, MessageLookUp.BY_AGE));
      if (oldest.isEmpty()) {
        break;
      }
      merged.add(oldest.get().show());
    }
    return new MessagePage(merged, next(queues, from),
        found.missing().isEmpty() && queues.stream().allMatch(queue -> queue.wholly() && queue.strip.end), found.missing());
  }

  /** Also of queues that are not on the page, as those of a broker that is away: they begin where they would have begun on this one. */
  private static Position next(List<Shown> queues, Position from) {
    Map<TopicQueue, Long> next = new HashMap<>(from instanceof Position.Offsets offsets ? offsets.byQueue() : Map.of());
    queues.forEach(queue -> next.put(queue.strip.queue, queue.next()));
    return new Position.Offsets(next, from instanceof Position.Offsets offsets ? offsets.others() : from);
  }

  /** How much of a strip is on the page. */
  @OwnedBy("its client's context")
  private static final class Shown {
    private final Strip strip;
    private int count;

    Shown(Strip strip) {
      this.strip = strip;
    }

    boolean wholly() {
      return count == strip.messages.size();
    }

    boolean goesOnUnread() {
      return wholly() && !strip.end;
    }

    FoundMessage first() {
      return strip.messages.get(count);
    }

    FoundMessage show() {
      return strip.messages.get(count++);
    }

    long next() {
      return wholly() ? strip.next : first().queueOffset();
    }
  }

  /** A broker may answer with what it has last when all is older. */
  private static Strip notBefore(Strip strip, long fromMs) {
    return new Strip(
        strip.queue, strip.messages.stream().filter(message -> message.storeTimestampMs() >= fromMs).toList(), strip.next, strip.end);
  }

  /** Where the offset is not in the queue any more, it goes on where the broker says. */
  private Future<Strip> strip(Route route, TopicQueue queue, long queueOffset, int max, List<FoundMessage> before) {
    Address address = route.reading(queue.broker(), 0).orElseThrow();
    Pulls.Reader reader = new Pulls.Reader(
        LoneReading.READER_GROUP, Subscription.ofTags(queue.topic(), Subscription.ALL, 0), false);
    return pulls.pull(address, queue, reader, queueOffset, Math.min(READ_MESSAGES, max - before.size()), 0).compose(batch -> {
      PullAnswer answer = batch.answer();
      if (answer.outcome() == PullAnswer.Outcome.MOVED) {
        boolean stands = answer.nextQueueOffset() == queueOffset;
        return stands ? Future.succeededFuture(new Strip(queue, before, queueOffset, true))
            : strip(route, queue, answer.nextQueueOffset(), max, before);
      }
      batch.messages().stream().limit(max - before.size()).forEach(received -> before.add(FoundMessage.of(queue.broker(), received)));
      long next = before.size() < max || before.isEmpty()
          ? answer.nextQueueOffset() : before.get(before.size() - 1).queueOffset() + 1;
      boolean end = next >= answer.maxQueueOffset() || next == queueOffset;
      return end || before.size() >= max || bodyBytes(before) >= STRIP_BYTES
          ? Future.succeededFuture(new Strip(queue, before, next, end))
          : strip(route, queue, next, max, before);
    });
  }

  private static long bodyBytes(List<FoundMessage> messages) {
    return messages.stream().mapToLong(found -> found.message().body().length).sum();
  }
}
