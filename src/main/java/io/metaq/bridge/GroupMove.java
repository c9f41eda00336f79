package io.metaq.bridge;

import io.metaq.client.MetaqClient;
import io.metaq.client.TopicQueue;
import io.vertx.core.Future;
import java.util.Map;
import java.util.TreeMap;

/** Moves a group in several queues, one after the other; stops at the first that refuses. */
final class GroupMove {
  private final MetaqClient client;
  private final String group;

  GroupMove(MetaqClient client, String group) {
    this.client = client;
    this.group = group;
  }

  /** Gives where the group stands then. */
  Future<Map<TopicQueue, Long>> to(Map<TopicQueue, Long> offsets) {
    Future<Map<TopicQueue, Long>> moved = Future.succeededFuture(new TreeMap<>());
    for (var wanted : offsets.entrySet()) {
      moved = moved.compose(before -> Unis.future(client.admin().resetGroup(group, wanted.getKey(), wanted.getValue())).map(now -> {
        before.putAll(now);
        return before;
      }));
    }
    return moved;
  }
}
