package io.metaq.client;

import io.metaq.codec.client.PullAnswer;
import io.metaq.model.OwnedBy;
import io.metaq.model.Subscription;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a topic page by page, its queues merged by the time at which their messages were stored. */
@OwnedBy("its client's context")
final class MessageBrowse {
  private final RouteCache routes;
  private final BrokerOffsets offsets;
  private final Pulls pulls;

  MessageBrowse(RouteCache routes, BrokerOffsets offsets, Pulls pulls) {
    this.routes = routes;
    this.offsets = offsets;
    this.pulls = pulls;
  }

  /** What was read of one queue: no more than a page of it can be needed. */
  private record Strip(TopicQueue queue, List<FoundMessage> messages, long next, boolean end) {}

  Future<MessagePage> page(String topic, Position from, int max) {
    return routes.fetch(topic).map(found -> found.orElseThrow(() -> TopicAdmin.unknown(topic)))
        .compose(route -> AdminCalls.forEach(route.readable(), queue -> offsets.of(queue, from)
            .compose(offset -> strip(route, queue, offset, max, new ArrayList<>()))
            .map(strip -> from instanceof Position.At at ? notBefore(strip, at.timestampMs()) : strip)))
        .map(strips -> page(strips, max));
  }

  private static MessagePage page(List<Strip> strips, int max) {
    List<FoundMessage> merged = strips.stream().flatMap(strip -> strip.messages.stream()).sorted(MessageLookUp.BY_AGE).limit(max).toList();
    Map<TopicQueue, Long> next = new HashMap<>();
    strips.forEach(strip -> next.put(strip.queue, strip.next));
    boolean end = strips.stream().allMatch(Strip::end);
    Set<FoundMessage> shown = Collections.newSetFromMap(new IdentityHashMap<>());
    shown.addAll(merged);
    for (Strip strip : strips) {
      Optional<FoundMessage> left = strip.messages.stream().filter(message -> !shown.contains(message)).findFirst();
      left.ifPresent(first -> next.put(strip.queue, first.queueOffset()));
      end &= left.isEmpty();
    }
    return new MessagePage(merged, Position.at(next), end);
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
    return pulls.pull(address, queue, reader, queueOffset, max - before.size(), 0).compose(batch -> {
      PullAnswer answer = batch.answer();
      if (answer.outcome() == PullAnswer.Outcome.MOVED) {
        boolean stands = answer.nextQueueOffset() == queueOffset;
        return stands ? Future.succeededFuture(new Strip(queue, before, queueOffset, true))
            : strip(route, queue, answer.nextQueueOffset(), max, before);
      }
      batch.messages().stream().limit(max - before.size()).forEach(received -> before.add(FoundMessage.of(queue.broker(), received)));
      long next = before.size() < max || before.isEmpty()
          ? answer.nextQueueOffset() : before.get(before.size() - 1).queueOffset() + 1;
      boolean end = next >= answer.maxQueueOffset();
      return end || before.size() >= max || next == queueOffset
          ? Future.succeededFuture(new Strip(queue, before, next, end))
          : strip(route, queue, next, max, before);
    });
  }
}
