package io.metaq.bridge;

import io.metaq.client.FoundMessage;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.Position;
import io.metaq.client.TopicQueue;
import io.metaq.client.TopicSummary;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads messages: a queue from an offset on, a topic by time, by key, by id; sends one again. */
final class MessageEndpoints {
  private static final int DEFAULT_MAX = 32;
  private static final int MOST = 1_000;
  /** As many may be read from each queue to find them. */
  private static final int MOST_OF_A_PAGE = 256;
  private static final int CREATED = 201;
  private static final int MOST_TOPICS = 1_000;

  private final MetaqClient client;
  private final long maxWaitMs;

  MessageEndpoints(MetaqClient client, long maxWaitMs) {
    this.client = client;
    this.maxWaitMs = maxWaitMs;
  }

  /** Waits for a message as long as the caller wants, when there is none. */
  Future<Answer> pull(Call call) {
    TopicQueue queue = call.queue();
    long offset = call.number("offset", 0, 0, Long.MAX_VALUE);
    int max = (int) call.number("max", DEFAULT_MAX, 1, MOST);
    Duration wait = call.span("wait", maxWaitMs);
    return known(queue).compose(there -> Unis.future(client.read(queue, offset, max, wait))).map(read -> Answer.ok(new JsonObject()
        .put("messages", MessageJson.of(read.messages()))
        .put("nextOffset", JsonValues.number(read.nextQueueOffset()))
        .put("minOffset", JsonValues.number(read.minQueueOffset()))
        .put("maxOffset", JsonValues.number(read.maxQueueOffset()))));
  }

  private Future<Void> known(TopicQueue queue) {
    return Unis.future(client.queues(queue.topic())).compose(queues -> queues.contains(queue)
        ? Future.succeededFuture()
        : Future.failedFuture(Fault.UNKNOWN_QUEUE.because(
            "the topic '" + queue.topic() + "' has no queue " + queue.queueId() + " at a broker of that name")));
  }

  /** By key, or all of a topic page by page. */
  Future<Answer> browse(Call call) {
    if (call.query("key").isPresent()) {
      return byKey(call);
    }
    String topic = call.topic();
    int max = (int) call.number("max", DEFAULT_MAX, 1, MOST_OF_A_PAGE);
    Optional<String> cursor = call.query("cursor");
    if (cursor.isPresent() == call.query("from").isPresent()) {
      throw Fault.INVALID.because("one of the query parameters 'key', 'from' and 'cursor' must be there");
    }
    Position from = cursor.isPresent() ? PageCursor.parse(topic, cursor.get()) : call.from();
    return Unis.future(client.admin().browse(topic, from, max)).map(page -> Answer.ok(new JsonObject()
        .put("messages", MessageJson.of(page.messages()))
        .put("cursor", PageCursor.text(topic, (Position.Offsets) page.next()))
        .put("end", page.end())
        .put("missing", MissingJson.of(page.missing()))));
  }

  private Future<Answer> byKey(Call call) {
    int max = (int) call.number("max", DEFAULT_MAX, 1, MOST);
    return Unis.future(client.admin().messagesByKey(call.topic(), call.requiredQuery("key"), max))
        .map(found -> Answer.ok(new JsonObject().put("messages", MessageJson.of(found))));
  }

  /** By the id its producer gave it, or by the one that holds its place. Without a topic each is looked into. */
  Future<Answer> byId(Call call) {
    String id = call.path("id");
    Optional<String> topic = call.query("topic");
    return Unis.future(client.admin().messageByOffsetId(id))
        .compose(found -> found.isPresent() ? Future.succeededFuture(found)
            : topic.isPresent() ? Unis.future(client.admin().messageByUniqueId(topic.get(), id)) : inAnyTopic(call, id))
        .map(found -> Answer.ok(MessageJson.of(found.orElseThrow(() -> unknown(id)))));
  }

  private static BridgeException unknown(String id) {
    return Fault.UNKNOWN_MESSAGE.because("no message has the id '" + Text.printable(id) + "'");
  }

  /** Sends a copy of a message to its topic, or to one group only; a dead letter goes back to its group. */
  Future<Answer> resend(Call call) {
    String id = call.path("id");
    Optional<String> topic = call.query("topic").map(name -> Call.checked(name, Topics.topicFault(name)));
    Optional<String> group = call.query("group").map(name -> Call.checked(name, Topics.groupFault(name)));
    return Unis.future(client.admin().messageByOffsetId(id))
        .compose(found -> found.isPresent() || topic.isEmpty() ? Future.succeededFuture(found)
            : Unis.future(client.admin().messageByUniqueId(topic.get(), id)))
        .compose(found -> GroupEndpoints.known(Unis.future(client.admin().resend(found.orElseThrow(() -> unknown(id)), group))))
        .map(receipt -> Answer.json(CREATED, MessageJson.receipt(receipt).toBuffer()));
  }

  private Future<Optional<FoundMessage>> inAnyTopic(Call call, String id) {
    return Unis.list(client.admin().topics()).compose(topics -> inAnyOf(
        topics.stream().filter(topic -> topic.kind() != TopicSummary.Kind.SYSTEM).map(TopicSummary::topic).limit(MOST_TOPICS).toList(),
        call, id));
  }

  /** One after the other, so that a look-up does not take all of the brokers' time, and none for a caller that has left. */
  private Future<Optional<FoundMessage>> inAnyOf(List<String> topics, Call call, String id) {
    return topics.isEmpty() || call.request().response().closed() ? Future.succeededFuture(Optional.empty())
        : inListed(topics.get(0), id).compose(found -> found.isPresent()
            ? Future.succeededFuture(found) : inAnyOf(topics.subList(1, topics.size()), call, id));
  }

  /** The topic may be gone since it was listed. */
  private Future<Optional<FoundMessage>> inListed(String topic, String id) {
    return Unis.future(client.admin().messageByUniqueId(topic, id)).recover(failure ->
        failure instanceof MetaqException gone && gone.reason() == MetaqException.Reason.NOT_FOUND
            ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(failure));
  }
}
