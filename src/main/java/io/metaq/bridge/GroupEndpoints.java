package io.metaq.bridge;

import io.metaq.client.GroupDetails;
import io.metaq.client.GroupSummary;
import io.metaq.client.MemberReport;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.MissingBroker;
import io.metaq.client.TopicDetails;
import io.metaq.client.TopicQueue;
import io.metaq.client.TopicSummary;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** {@code /v1/groups}: lists, shows, moves and deletes consumer groups. */
final class GroupEndpoints {
  private static final Duration MEMBER_LIMIT = Duration.ofSeconds(3);

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
      return Answer.ok(new JsonObject().put("groups", array)
          .put("missing", MissingJson.of(MissingBroker.ofAny(groups, GroupSummary::missing))));
    });
  }

  /** Members are asked how they run, unless {@code ?members=false}. */
  Future<Answer> show(Asked asked) {
    String name = asked.group();
    boolean askMembers = asked.flag("members", true);
    return known(Unis.future(client.admin().group(name))).compose(group -> {
      Future<Map<GroupDetails.Queue, Long>> oldest = oldestOpen.of(group);
      Future<Optional<List<MemberReport>>> members = askMembers && !group.members().isEmpty()
          ? Unis.future(client.admin().members(name, MEMBER_LIMIT)).map(found -> Optional.of(found.reports())).otherwise(Optional.empty())
          : Future.succeededFuture(group.members().isEmpty() ? Optional.of(List.of()) : Optional.empty());
      Future<Optional<TopicDetails>> dead = topic(Topics.deadLetterOf(name));
      Future<Optional<TopicDetails>> retries = topic(Topics.retryOf(name));
      return Future.all(oldest, members, dead, retries).map(all -> Answer.ok(
          new GroupJson(group, oldest.result(), members.result(), dead.result(), retries.result()).json()));
    });
  }

  /** Empty when there is none; when that is not known, one without anything that says so. */
  private Future<Optional<TopicDetails>> topic(String topic) {
    return Unis.future(client.admin().topic(topic)).map(Optional::of).otherwise(failure -> {
      MetaqException why = (MetaqException) failure;
      return why.reason() == MetaqException.Reason.NOT_FOUND ? Optional.empty() : Optional.of(new TopicDetails(
          topic, TopicSummary.Kind.NORMAL, List.of(), List.of(), List.of(), OptionalDouble.empty(), OptionalDouble.empty(),
          List.of(new MissingBroker(why.broker().orElse(""), why.reason(), why.getMessage()))));
    });
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

  /** Of something whose only unknown can be its group. */
  static <T> Future<T> known(Future<T> answer) {
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
        .put("members", MissingJson.sum(group.members(), group.missing()))
        .put("lag", MissingJson.sum(group.lag(), group.missing()))
        .put("topics", new JsonArray(group.topics()));
  }
}
