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

  private final RouteCache routes;
  private final BrokerOffsets offsets;
  private final Pulls pulls;

  MessageBrowse(RouteCache routes, BrokerOffsets offsets, Pulls pulls) {
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
    return routes.fetch(topic).compose(found -> routes.orFail(found, () -> TopicAdmin.unknown(topic)))
        .compose(route -> AdminCalls.forEach(route.readable(), queue -> offsets.of(queue, from)
            .compose(offset -> strip(route, queue, offset, max, new ArrayList<>()))
            .map(strip -> from instanceof Position.At at ? notBefore(strip, at.timestampMs()) : strip)))
        .map(strips -> page(strips, max));
  }

  /**
   * Always the queue whose next message is the oldest, each queue in its own order also where the clock of its broker went back; up to a
   * message that is not known, because it was not read yet.
   */
  private static MessagePage page(List<Strip> strips, int max) {
    List<Shown> queues = strips.stream().map(Shown::new).toList();
    List<FoundMessage> merged = new ArrayList<>();
    while (merged.size() < max && queues.stream().noneMatch(Shown::goesOnUnread)) {
      Optional<Shown> oldest = queues.stream().filter(queue -> !queue.wholly()).min(Comparator.comparing(Shown::first, MessageLookUp.BY_AGE));
      if (oldest.isEmpty()) {
        break;
      }
      merged.add(oldest.get().show());
    }
    Map<TopicQueue, Long> next = new HashMap<>();
    queues.forEach(queue -> next.put(queue.strip.queue, queue.next()));
    return new MessagePage(merged, Position.at(next), queues.stream().allMatch(queue -> queue.wholly() && queue.strip.end));
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
