package io.metaq.bridge;

import io.metaq.client.GroupDetails;
import io.metaq.client.MetaqClient;
import io.metaq.client.QueueRead;
import io.metaq.client.TopicQueue;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds when the first message that a group has not acknowledged was stored, by reading it. */
final class OldestOpen {
  private static final int MOST_QUEUES = 64;

  private final MetaqClient client;

  OldestOpen(MetaqClient client) {
    this.client = client;
  }

  /**
   * Times in ms since 1970 by queue. A queue that cannot be read, or is one of more than {@value #MOST_QUEUES} behind, is left out: unknown.
   */
  Future<Map<GroupDetails.Queue, Long>> of(GroupDetails group) {
    List<GroupDetails.Queue> behind = group.queues().stream().filter(queue -> queue.lag() > 0).limit(MOST_QUEUES).toList();
    Map<GroupDetails.Queue, Long> found = new HashMap<>();
    List<Future<QueueRead>> reads = behind.stream().map(queue -> first(queue)
        .onSuccess(read -> read.messages().stream().findFirst().ifPresent(first -> found.put(queue, first.storeTimestampMs())))).toList();
    return Future.join(reads).transform(done -> Future.succeededFuture(found));
  }

  private Future<QueueRead> first(GroupDetails.Queue queue) {
    return Unis.future(client.read(
        new TopicQueue(queue.topic(), queue.broker(), queue.queueId()), Math.max(0, queue.offset()), 1, Duration.ZERO));
  }
}
