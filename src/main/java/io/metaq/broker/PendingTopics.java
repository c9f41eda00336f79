package io.metaq.broker;

import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.vertx.core.AsyncResult;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sends to topics that do not exist yet: they wait here, first in first out for each topic, while the topic coordinator makes it.
 *
 * <p>Bound: {@value HeldBytes#MAX_BYTES} bytes of waiting sends in a loop; beyond that they are refused as busy.
 */
@OwnedBy("its event loop")
final class PendingTopics {
  /** Goes on with a send whose topic is there. */
  interface Resume {
    void send(HeldRequest request, TopicEntry topic);
  }

  /** Refuses a send. */
  interface Refuse {
    void refuse(HeldRequest request, ResultCode code, String reason);
  }

  private final TopicsProxy coordinator;
  private final LoopTopics topics;
  private final Map<String, ArrayDeque<HeldRequest>> waiting = new HashMap<>();
  private final HeldBytes held = new HeldBytes();

  PendingTopics(TopicsProxy coordinator, LoopTopics topics) {
    this.coordinator = coordinator;
    this.topics = topics;
  }

  /** Whether sends to the topic wait here: then all others wait behind them, also when the topic is known already. */
  boolean holds(String topic) {
    return !waiting.isEmpty() && waiting.containsKey(topic);
  }

  /** Lets a send wait for its topic, and asks for the topic when it is the first. */
  void park(String topic, String template, int queues, HeldRequest request, Resume resume, Refuse refuse) {
    if (!held.take(request)) {
      refuse.refuse(request, ResultCode.SYSTEM_BUSY, "too many messages wait for topics that are being created; try again in a second");
      return;
    }
    ArrayDeque<HeldRequest> first = new ArrayDeque<>();
    ArrayDeque<HeldRequest> requests = waiting.computeIfAbsent(topic, name -> first);
    requests.add(request);
    if (requests == first) {
      coordinator
          .createFromTemplate(topic, template, queues, request.connection().remote())
          .onComplete(outcome -> release(topic, template, outcome, resume, refuse));
    }
  }

  private void release(String topic, String template, AsyncResult<Optional<TopicConfig>> outcome, Resume resume, Refuse refuse) {
    ArrayDeque<HeldRequest> requests = waiting.remove(topic);
    Optional<TopicEntry> entry = topics.find(topic);
    requests.forEach(held::giveBack);
    for (HeldRequest request : requests) {
      if (entry.isPresent()) {
        resume.send(request, entry.get());
      } else if (outcome.failed()) {
        refuse.refuse(request, ResultCode.SYSTEM_ERROR, "topic " + topic + " could not be created: " + outcome.cause().getMessage());
      } else {
        refuse.refuse(
            request, ResultCode.TOPIC_NOT_EXIST,
            "topic " + topic + " does not exist and cannot be created from template " + template + " (see autoCreateTopicEnable)");
      }
    }
  }
}
