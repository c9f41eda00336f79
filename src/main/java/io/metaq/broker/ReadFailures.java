package io.metaq.broker;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Keeps the log readable while a group stands at a message that cannot be read and asks for it every few seconds: a failure at one
 * place is to be told at once, and then with how often it came again, each minute at most.
 */
@OwnedBy("its event loop")
final class ReadFailures {
  static final int MOST_PLACES = 1_000;

  private static final long TELL_EVERY_NS = 60_000_000_000L;

  private final Clock clock;
  private final Map<Place, Told> told = new LinkedHashMap<>() {
    @Override
    protected boolean removeEldestEntry(Map.Entry<Place, Told> eldest) {
      return size() > MOST_PLACES;
    }
  };

  private record Place(String topic, int queueId, long queueOffset) {}

  /** When a place was told of last, and how many failures came since. */
  private record Told(long atNs, long untold) {}

  ReadFailures(Clock clock) {
    this.clock = clock;
  }

  /** A read at this place failed: how many failures there were not told of, when this one is to be told; empty when it is not. */
  OptionalLong dueAfter(String topic, int queueId, long queueOffset) {
    Place place = new Place(topic, queueId, queueOffset);
    Told last = told.get(place);
    long now = clock.nanos();
    if (last != null && now - last.atNs < TELL_EVERY_NS) {
      told.put(place, new Told(last.atNs, last.untold + 1));
      return OptionalLong.empty();
    }
    told.put(place, new Told(now, 0));
    return OptionalLong.of(last == null ? 0 : last.untold);
  }
}
