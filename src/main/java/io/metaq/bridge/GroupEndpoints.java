package io.metaq.bridge;

import io.metaq.client.GroupDetails;
import io.metaq.client.GroupSummary;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.TopicQueue;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code /v1/groups}: lists, shows, moves and deletes consumer groups. */
final class GroupEndpoints {
  private final MetaqClient client;
  private final OldestOpen oldestOpen;

  GroupEndpoints(MetaqClient client, OldestOpen oldestOpen) {
    this.client = client;
    this.oldestOpen = oldestOpen;
  }

  Future<Answer> list(Asked asked) {
    return Unis.list(client.admin().groups()).map(groups -> {
      JsonArray array = new JsonArray();
      groups.forEach(group -> array.add(summary(group)));
      return Answer.ok(new JsonObject().put("groups", array));
    });
  }

  Future<Answer> show(Asked asked) {
    return known(Unis.future(client.admin().group(asked.group())))
        .compose(group -> oldestOpen.of(group).map(oldest -> Answer.ok(details(group, oldest))));
  }

  Future<Answer> delete(Call call) {
    return known(Unis.future(client.admin().deleteGroup(call.group()))).map(brokers -> Answer.empty());
  }

  Future<Answer> reset(Call call) {
    String group = call.group();
    return call.json().compose(json -> {
      json.allow(Set.of("topic", "to"));
      String topic = Call.checked(json.requiredText("topic"), Topics.topicFault(json.requiredText("topic")));
      return (json.value("to") instanceof JsonObject ? byQueue(group, topic, json.object("to").orElseThrow())
              : Unis.future(client.admin().resetGroup(group, topic, Durations.position("'to'", json.requiredText("to")))))
          .map(moved -> Answer.ok(moved(group, topic, moved)));
    });
  }

  private Future<Map<TopicQueue, Long>> byQueue(String group, String topic, JsonReader offsets) {
    return Unis.future(client.queues(topic)).compose(queues -> {
      Map<TopicQueue, Long> wanted = QueueOffsets.of(offsets, queues);
      return new GroupMove(client, group).to(wanted);
    });
  }

  private static <T> Future<T> known(Future<T> answer) {
    return answer.recover(failure -> failure instanceof MetaqException gone && gone.reason() == MetaqException.Reason.NOT_FOUND
        ? Future.failedFuture(Fault.UNKNOWN_GROUP.because(gone.getMessage()))
        : Future.failedFuture(failure));
  }

  private static JsonObject moved(String group, String topic, Map<TopicQueue, Long> offsets) {
    JsonArray queues = new JsonArray();
    offsets.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> queues.add(new JsonObject()
        .put("broker", entry.getKey().broker())
        .put("queueId", entry.getKey().queueId())
        .put("offset", JsonValues.number(entry.getValue()))));
    return new JsonObject().put("group", group).put("topic", topic).put("queues", queues);
  }

  private static JsonObject summary(GroupSummary group) {
    return new JsonObject()
        .put("group", group.group())
        .put("system", group.system())
        .put("members", group.members())
        .put("lag", JsonValues.number(group.lag()))
        .put("topics", new JsonArray(group.topics()));
  }

  private static JsonObject details(GroupDetails group, Map<GroupDetails.Queue, Long> oldest) {
    JsonArray members = new JsonArray();
    group.members().forEach(member -> members.add(new JsonObject()
        .put("clientId", member.clientId())
        .put("address", member.address())
        .put("language", member.language())
        .put("version", member.version())));
    JsonArray queues = new JsonArray();
    group.queues().forEach(queue -> queues.add(new JsonObject()
        .put("topic", queue.topic())
        .put("broker", queue.broker())
        .put("queueId", queue.queueId())
        .put("offset", JsonValues.number(queue.offset()))
        .put("maxOffset", JsonValues.number(queue.maxOffset()))
        .put("lag", JsonValues.number(queue.lag()))
        .put("oldestUnacknowledgedAt", oldest.containsKey(queue) ? JsonValues.time(oldest.get(queue)) : null)));
    return new JsonObject()
        .put("group", group.group())
        .put("messageModel", group.messageModel().isEmpty() ? null : group.messageModel())
        .put("members", members)
        .put("subscriptions", new JsonObject(Map.copyOf(group.subscriptions())))
        .put("contradictions", new JsonArray(List.copyOf(group.contradictions())))
        .put("lag", JsonValues.number(group.lag()))
        .put("oldestUnacknowledgedAt", oldest.values().stream().min(Long::compare).map(JsonValues::time).orElse(null))
        .put("queues", queues);
  }
}
