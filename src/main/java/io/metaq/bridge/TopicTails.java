package io.metaq.bridge;

import io.metaq.client.MetaqClient;
import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The tails of topics that private readers of this process share, one for each topic and filter. */
@OwnedBy("BridgeVerticle")
final class TopicTails {
  private final MetaqClient client;
  private final Map<Followed, TopicTail> tails = new HashMap<>();

  private record Followed(String topic, String filter, boolean bySql) {}

  TopicTails(MetaqClient client) {
    this.client = client;
  }

  /**
   * The tail that somebody can join who is at a position.
   *
   * @param atEnd whether that is where the topic ends, or nearly; then a tail begins there when there is none
   */
  Optional<TopicTail> at(Wanted wanted, ReadPosition position, boolean atEnd) {
    Followed followed = new Followed(wanted.topic(), wanted.filter(), wanted.bySql());
    TopicTail there = tails.get(followed);
    if (there == null && atEnd) {
      return Optional.of(begin(followed, wanted, position));
    }
    return Optional.ofNullable(there).filter(tail -> tail.covers(position));
  }

  private TopicTail begin(Followed followed, Wanted wanted, ReadPosition position) {
    TopicTail tail = new TopicTail(position, () -> tails.remove(followed));
    tails.put(followed, tail);
    tail.start(client, wanted);
    return tail;
  }
}
