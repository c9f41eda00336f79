package io.metaq.bridge;

import io.metaq.client.GroupDetails;
import io.metaq.client.MemberReport;
import io.metaq.client.TopicDetails;
import io.metaq.client.TopicQueue;
import io.metaq.model.Topics;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A consumer group as JSON; what is not known is null.
 *
 * @param oldest when the first open message of a queue was stored, ms since 1970
 * @param asked what the members told; empty when they were not asked
 * @param deadLetters the group's topic of them; empty when there is none, without queues when that is not known
 */
record GroupJson(
    GroupDetails group, Map<GroupDetails.Queue, Long> oldest, Optional<List<MemberReport>> asked, Optional<TopicDetails> deadLetters,
    Optional<TopicDetails> retries) {

  JsonObject json() {
    JsonArray queues = new JsonArray();
    group.queues().forEach(queue -> queues.add(queue(queue)));
    return new JsonObject()
        .put("group", group.group())
        .put("messageModel", group.messageModel().isEmpty() ? null : group.messageModel())
        .put("mode", mode())
        .put("consumedPerSecond", group.missing().isEmpty() ? (Double) JsonValues.rounded(group.consumedPerSecond()) : null)
        .put("members", members())
        .put("subscriptions", new JsonObject(new TreeMap<>(group.subscriptions())))
        .put("contradictions", new JsonArray(List.copyOf(contradictions())))
        .put("lag", MissingJson.sum(group.lag(), group.missing()))
        .put("oldestUnacknowledgedAt", oldest.values().stream().min(Long::compare).map(JsonValues::time).orElse(null))
        .put("queues", queues)
        .put("retry", retries.map(this::retry).orElse(null))
        .put("deadLetters", deadLetters.map(GroupJson::deadLetters).orElse(null))
        .put("missing", MissingJson.of(group.missing()));
  }

  private String mode() {
    boolean pops = asked.orElse(List.of()).stream().flatMap(member -> member.told().stream())
        .anyMatch(told -> told.queues().stream().anyMatch(MemberReport.Queue::pop));
    if (pops) {
      return "POP";
    }
    return switch (group.consumeType()) {
      case "CONSUME_PASSIVELY" -> "PUSH";
      case "CONSUME_ACTIVELY" -> "PULL";
      case "CONSUME_POP" -> "POP";
      default -> null;
    };
  }

  /** Those the broker tells of; another one does not look, then the members tell. */
  private Collection<String> contradictions() {
    Set<String> all = new LinkedHashSet<>(group.contradictions());
    if (all.isEmpty()) {
      all.addAll(MemberReport.contradictions(asked.orElse(List.of())));
    }
    return all;
  }

  private JsonArray members() {
    JsonArray members = new JsonArray();
    if (asked.isPresent()) {
      asked.get().forEach(report -> members.add(member(report.member(), report.fault(), report.told())));
    } else {
      group.members().forEach(member -> members.add(member(member, Optional.empty(), Optional.empty())));
    }
    return members;
  }

  private static JsonObject member(GroupDetails.Member member, Optional<String> fault, Optional<MemberReport.Told> told) {
    return new JsonObject()
        .put("clientId", member.clientId())
        .put("address", member.address())
        .put("language", member.language())
        .put("version", member.version())
        .put("fault", fault.orElse(null))
        .put("release", told.map(MemberReport.Told::release).filter(release -> !release.isEmpty()).orElse(null))
        .put("since", told.map(one -> JsonValues.time(one.sinceMs())).orElse(null))
        .put("ordered", told.map(MemberReport.Told::ordered).orElse(null))
        .put("subscriptions", told.map(one -> new JsonObject(new TreeMap<>(one.subscriptions()))).orElse(null))
        .put("queues", told.map(GroupJson::held).orElse(null))
        .put("topics", told.map(GroupJson::topics).orElse(null));
  }

  private static JsonArray held(MemberReport.Told told) {
    JsonArray queues = new JsonArray();
    told.queues().forEach(held -> queues.add(new JsonObject()
        .put("topic", held.queue().topic())
        .put("broker", held.queue().broker())
        .put("queueId", held.queue().queueId())
        .put("offset", JsonValues.number(held.offset()))
        .put("cachedMessages", held.cachedMessages())
        .put("lastPulledAt", JsonValues.time(held.lastPulledMs()))
        .put("lastConsumedAt", JsonValues.time(held.lastConsumedMs()))
        .put("locked", held.locked())
        .put("leaving", held.leaving())
        .put("pop", held.pop())));
    return queues;
  }

  private static JsonArray topics(MemberReport.Told told) {
    JsonArray topics = new JsonArray();
    told.topics().forEach(topic -> topics.add(new JsonObject()
        .put("topic", topic.topic())
        .put("pulledPerSecond", JsonValues.rounded(topic.pulledPerSecond()))
        .put("consumedPerSecond", JsonValues.rounded(topic.consumedPerSecond()))
        .put("failedPerSecond", JsonValues.rounded(topic.failedPerSecond()))
        .put("consumeMs", JsonValues.rounded(topic.consumeMs()))));
    return topics;
  }

  private JsonObject queue(GroupDetails.Queue queue) {
    return new JsonObject()
        .put("topic", queue.topic())
        .put("broker", queue.broker())
        .put("queueId", queue.queueId())
        .put("offset", JsonValues.number(queue.offset()))
        .put("maxOffset", JsonValues.number(queue.maxOffset()))
        .put("lag", JsonValues.number(queue.lag()))
        .put("lastConsumedAt", JsonValues.timeOrNull(queue.lastConsumedMs()))
        .put("oldestUnacknowledgedAt", oldest.containsKey(queue) ? JsonValues.time(oldest.get(queue)) : null)
        .put("heldBy", heldBy(new TopicQueue(queue.topic(), queue.broker(), queue.queueId())));
  }

  /** That nobody has it is known only when all have told. */
  private JsonArray heldBy(TopicQueue queue) {
    if (asked.isEmpty()) {
      return null;
    }
    List<String> holders = asked.get().stream().filter(member -> member.holds(queue)).map(member -> member.member().clientId()).toList();
    boolean allTold = asked.get().stream().allMatch(member -> member.told().isPresent());
    return holders.isEmpty() && !allTold ? null : new JsonArray(holders);
  }

  private JsonObject retry(TopicDetails topic) {
    long lag = group.queues().stream().filter(queue -> queue.topic().equals(topic.topic())).mapToLong(GroupDetails.Queue::lag).sum();
    return new JsonObject().put("topic", Topics.retryOf(group.group())).put("messages", MissingJson.sum(topic.messages(), topic.missing()))
        .put("lag", MissingJson.sum(lag, group.missing()));
  }

  private static JsonObject deadLetters(TopicDetails topic) {
    long lastMs = topic.queues().stream().mapToLong(TopicDetails.Queue::lastStoredMs).max().orElse(0);
    return new JsonObject().put("topic", topic.topic()).put("messages", MissingJson.sum(topic.messages(), topic.missing()))
        .put("lastStoredAt", JsonValues.timeOrNull(lastMs));
  }
}
