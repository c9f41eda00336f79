package io.metaq.bridge;

import io.metaq.client.FoundMessage;
import io.metaq.client.TopicQueue;
import io.metaq.model.OwnedBy;

/** A message with its JSON object, which is written once, however many subscribers get it. */
@OwnedBy("BridgeVerticle")
final class MessageText {
  private final FoundMessage found;
  private String json;

  MessageText(FoundMessage found) {
    this.found = found;
  }

  FoundMessage found() {
    return found;
  }

  TopicQueue queue() {
    return new TopicQueue(found.message().topic(), found.broker(), found.queueId());
  }

  /** As {@link MessageJson#delivered}. */
  String json() {
    if (json == null) {
      json = MessageJson.delivered(found).encode();
    }
    return json;
  }

  /** About what it takes as JSON. */
  long bytes() {
    return found.message().body().length * 3L / 2 + 512;
  }
}
