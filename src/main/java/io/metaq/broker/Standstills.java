package io.metaq.broker;

import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers since when groups do not get on in queues that have messages for them, and says which of that is news.
 *
 * <p>Bound: queues times groups that are behind.
 */
@OwnedBy("whoever looks at the groups")
final class Standstills {
  private final long limitMs;
  private Map<Place, Stand> stands = new HashMap<>();

  /**
   * @param limitMs after which standing still is news
   */
  Standstills(long limitMs) {
    this.limitMs = limitMs;
  }

  record Place(String group, String topic, int queueId) {}

  /** A group that has messages in front of it; {@code committed} is negative when it never committed there. */
  record Behind(Place place, long committed, long max) {}

  private record Stand(long committed, long sinceMs, boolean told) {}

  /** A group that stands still. */
  record Standing(Behind behind, long forMs) {}

  /** What is new since the last look. */
  record News(List<Standing> standing, List<Place> movedOn) {}

  /** Takes in all that are behind now. */
  News look(List<Behind> all, long nowMs) {
    List<Standing> standing = new ArrayList<>();
    Map<Place, Stand> now = new HashMap<>();
    for (Behind behind : all) {
      Stand before = stands.get(behind.place);
      Stand stand = before == null || before.committed != behind.committed ? new Stand(behind.committed, nowMs, false) : before;
      if (!stand.told && nowMs - stand.sinceMs >= limitMs) {
        standing.add(new Standing(behind, nowMs - stand.sinceMs));
        stand = new Stand(stand.committed, stand.sinceMs, true);
      }
      now.put(behind.place, stand);
    }
    List<Place> movedOn = new ArrayList<>();
    stands.forEach((place, stand) -> {
      if (stand.told && (!now.containsKey(place) || !now.get(place).told)) {
        movedOn.add(place);
      }
    });
    stands = now;
    return new News(standing, movedOn);
  }

  /** Queues in which a group stands still by now. */
  int count() {
    return (int) stands.values().stream().filter(Stand::told).count();
  }
}
