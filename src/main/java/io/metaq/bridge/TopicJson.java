package io.metaq.bridge;

import io.metaq.client.TopicDetails;
import io.metaq.client.TopicReader;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * A topic as JSON; what is not known is null.
 *
 * @param readers empty when they are not known
 * @param rates how fast it and its queues grow, from look to look
 */
record TopicJson(TopicDetails topic, Optional<List<TopicReader>> readers, TopicRates rates) {

  JsonObject json() {
    JsonArray shares = new JsonArray();
    topic.shares().forEach(share -> shares.add(share(share)));
    JsonArray queues = new JsonArray();
    topic.queues().forEach(queue -> queues.add(queue(queue)));
    JsonArray reading = new JsonArray();
    readers.ifPresent(all -> all.forEach(reader -> reading.add(reader(reader))));
    List<String> types = topic.shares().stream().map(TopicDetails.Share::type).distinct().toList();
    long end = topic.queues().stream().mapToLong(TopicDetails.Queue::maxOffset).sum();
    long lastMs = topic.queues().stream().mapToLong(TopicDetails.Queue::lastStoredMs).max().orElse(0);
    return new JsonObject()
        .put("topic", topic.topic())
        .put("kind", topic.kind().name())
        .put("type", types.isEmpty() ? null : types.get(0))
        .put("ordered", anywhere(TopicDetails.Share::ordered))
        .put("readable", anywhere(TopicDetails.Share::readable))
        .put("writable", anywhere(TopicDetails.Share::writable))
        .put("brokers", shares)
        .put("messages", MissingJson.sum(topic.messages(), topic.missing()))
        .put("messagesPerSecond", topic.missing().isEmpty() ? rates.perSecond(topic.topic(), end).orElse(null) : null)
        .put("storedPerSecond", ofAll(topic.storedPerSecond()))
        .put("storedBytesPerSecond", ofAll(topic.storedBytesPerSecond()))
        .put("lastStoredAt", JsonValues.timeOrNull(lastMs))
        .put("queues", queues)
        .put("groups", new JsonArray(topic.groups()))
        .put("readers", readers.isPresent() ? reading : null)
        .put("missing", MissingJson.of(topic.missing()));
  }

  private Double ofAll(OptionalDouble sum) {
    return topic.missing().isEmpty() ? JsonValues.decimal(sum) : null;
  }

  private Boolean anywhere(Predicate<TopicDetails.Share> what) {
    return topic.shares().isEmpty() ? null : MissingJson.any(topic.shares().stream().anyMatch(what), topic.missing());
  }

  private static JsonObject share(TopicDetails.Share share) {
    return new JsonObject()
        .put("broker", share.broker())
        .put("readQueues", share.readQueues())
        .put("writeQueues", share.writeQueues())
        .put("readable", share.readable())
        .put("writable", share.writable());
  }

  private JsonObject queue(TopicDetails.Queue queue) {
    return new JsonObject()
        .put("broker", queue.broker())
        .put("queueId", queue.queueId())
        .put("minOffset", JsonValues.number(queue.minOffset()))
        .put("maxOffset", JsonValues.number(queue.maxOffset()))
        .put("lastStoredAt", JsonValues.timeOrNull(queue.lastStoredMs()))
        // No name of a topic has a blank.
        .put("messagesPerSecond",
            rates.perSecond(topic.topic() + " " + queue.broker() + " " + queue.queueId(), queue.maxOffset()).orElse(null));
  }

  private static JsonObject reader(TopicReader reader) {
    return new JsonObject()
        .put("group", reader.group())
        .put("lag", JsonValues.number(reader.lag()))
        .put("readPerSecond", JsonValues.decimal(reader.readPerSecond()));
  }
}
