package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Divides a list of messages into what goes to brokers in one request each: batches of messages that may share one, and single
 * messages that may not. Messages with the same target keep their order: one that has to go alone ends the batch before it.
 *
 * @param maxBytes of a batch
 * @param aloneFromBytes bodies of so many bytes go alone, because they are compressed
 */
record Batching(int maxBytes, int aloneFromBytes) {
  /** A bound for the answer, which has an id for each message. */
  private static final int MAX_MESSAGES = 1024;

  /** Brokers refuse these in a batch, or would not see them there. */
  private static final Set<String> ALONE =
      Set.of(PropertyNames.DELAY, PropertyNames.TIMER_DELAY_SEC, PropertyNames.TIMER_DELAY_MS, PropertyNames.TIMER_DELIVER_MS);

  /**
   * Messages for one request, at least one.
   *
   * @param places of the messages in the list
   */
  record Portion(List<Integer> places, List<IdentifiedMessage> messages) {}

  private record Kind(String topic, Target target) {}

  /** In the order of their first messages. */
  List<Portion> divide(List<IdentifiedMessage> messages) {
    List<Portion> portions = new ArrayList<>();
    Map<Kind, Filling> filling = new HashMap<>();
    for (int place = 0; place < messages.size(); place++) {
      IdentifiedMessage next = messages.get(place);
      Kind kind = new Kind(next.message().topic(), Target.of(next.message()));
      Filling open = filling.get(kind);
      if (open == null || !open.takes(next)) {
        open = new Filling(next.message());
        portions.add(open.portion);
        if (!open.alone || !kind.target().isAny()) {
          filling.put(kind, open);
        }
      }
      open.add(place, next);
    }
    return portions;
  }

  private boolean goesAlone(Message message) {
    return message.body().length >= aloneFromBytes
        || Topics.isRetry(message.topic())
        || ALONE.stream().anyMatch(name -> message.property(name).isPresent());
  }

  private static String waits(Message message) {
    return message.property(PropertyNames.WAIT).orElse("");
  }

  /** A portion that grows. */
  @OwnedBy("the call that divides")
  private final class Filling {
    private final Portion portion = new Portion(new ArrayList<>(), new ArrayList<>());
    private final boolean alone;
    private final String waits;
    private int bytes;

    Filling(Message first) {
      alone = goesAlone(first);
      waits = waits(first);
    }

    boolean takes(IdentifiedMessage next) {
      return !alone
          && !goesAlone(next.message())
          && portion.messages.size() < MAX_MESSAGES
          && bytes + MessageBatch.bytes(next) <= maxBytes
          && waits.equals(waits(next.message()));
    }

    void add(int place, IdentifiedMessage next) {
      portion.places.add(place);
      portion.messages.add(next);
      bytes += MessageBatch.bytes(next);
    }
  }
}
