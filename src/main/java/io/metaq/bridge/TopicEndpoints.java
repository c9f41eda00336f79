package io.metaq.bridge;

import io.metaq.client.MetaqClient;
import io.metaq.client.MissingBroker;
import io.metaq.client.TopicSettings;
import io.metaq.client.TopicSummary;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** {@code /v1/topics}: lists, shows, makes and deletes topics. */
final class TopicEndpoints {
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int MOST_QUEUES = 1024;
  private static final int MOST_READERS = 64;
  private static final Set<String> TYPES = Set.of("NORMAL", "FIFO", "DELAY", "TRANSACTION", "MIXED");

  private final MetaqClient client;
  private final TopicRates rates;

  TopicEndpoints(MetaqClient client, TopicRates rates) {
    this.client = client;
    this.rates = rates;
  }

  Future<Answer> list(Asked asked) {
    return Unis.list(client.admin().topics()).map(topics -> {
      JsonArray array = new JsonArray();
      topics.forEach(topic -> array.add(summary(topic)));
      return Answer.ok(new JsonObject().put("topics", array)
          .put("missing", MissingJson.of(MissingBroker.ofAny(topics, TopicSummary::missing))));
    });
  }

  Future<Answer> show(Asked asked) {
    return Unis.future(client.admin().topic(asked.topic())).compose(topic ->
        Unis.future(client.admin().readers(topic.topic(), MOST_READERS)).map(Optional::of).otherwise(Optional.empty())
            .map(readers -> Answer.ok(new TopicJson(topic, readers, rates).json())));
  }

  /** 201 when it was not there before. */
  Future<Answer> put(Call call) {
    String topic = call.topic();
    return call.json().compose(json -> {
      TopicSettings settings = settings(topic, json);
      return Unis.list(client.admin().topics())
          .map(topics -> topics.stream().anyMatch(there -> there.topic().equals(topic)))
          .compose(there -> Unis.future(client.admin().putTopic(settings, Optional.empty(), Optional.empty()))
              .map(brokers -> Answer.json(there ? OK : CREATED, made(settings, brokers).toBuffer())));
    });
  }

  Future<Answer> delete(Call call) {
    return Unis.future(client.admin().deleteTopic(call.topic())).map(brokers -> Answer.empty());
  }

  private static TopicSettings settings(String topic, JsonReader json) {
    json.allow(Set.of("queues", "type", "ordered"));
    TopicSettings settings = TopicSettings.of(topic)
        .queues(json.integer("queues", 1, MOST_QUEUES).orElse(TopicSettings.DEFAULT_QUEUES))
        .ordered(json.flag("ordered").orElse(false));
    Optional<String> type = json.text("type").map(text -> text.toUpperCase(Locale.ROOT));
    if (type.isPresent() && !TYPES.contains(type.get())) {
      throw Fault.INVALID.because("'type' must be NORMAL, FIFO, DELAY, TRANSACTION or MIXED");
    }
    return type.isPresent() ? settings.attribute("message.type", type.get()) : settings;
  }

  private static JsonObject made(TopicSettings settings, List<String> brokers) {
    return new JsonObject()
        .put("topic", settings.topic())
        .put("queues", settings.queues())
        .put("type", settings.attributes().get("message.type"))
        .put("ordered", settings.ordered())
        .put("brokers", new JsonArray(brokers));
  }

  private static JsonObject summary(TopicSummary topic) {
    return new JsonObject()
        .put("topic", topic.topic())
        .put("kind", topic.kind().name())
        .put("brokers", new JsonArray(topic.brokers()))
        .put("readQueues", MissingJson.sum(topic.readQueues(), topic.missing()))
        .put("writeQueues", MissingJson.sum(topic.writeQueues(), topic.missing()))
        .put("readable", MissingJson.any(topic.readable(), topic.missing()))
        .put("writable", MissingJson.any(topic.writable(), topic.missing()));
  }
}
