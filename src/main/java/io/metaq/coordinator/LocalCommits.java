package io.metaq.coordinator;

import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/**
 * Progress that consumers reported to a slave and its master does not know yet. When the master answers again, each entry is judged by
 * what the master says now:
 *
 * <pre>
 *   master's offset                          then
 *   at the committed one, or beyond          forgotten, the master knows better
 *   between the base and the committed one   the master is told
 *   before the base, master restarted        the master is told: it lost what it had not written yet
 *   before the base, master ran on           forgotten: somebody went back on purpose
 * </pre>
 *
 * <p>The base is what this slave, and so its master, had before the first commit here. So progress only moves forward, and a reset on the
 * master stands.
 */
@OwnedBy("OffsetCoordinatorVerticle")
final class LocalCommits {
  private final Map<Place, Commit> pending = new HashMap<>();
  private long masterSinceMs;

  /** One queue as one group sees it. */
  record Place(String group, String topic, int queueId) {}

  private record Commit(long base, long queueOffset) {}

  /** Takes in a commit that was made here; {@code base} is what stood before. */
  void add(String group, String topic, int queueId, long base, long queueOffset) {
    pending.merge(
        new Place(group, topic, queueId), new Commit(base, queueOffset), (first, last) -> new Commit(first.base(), last.queueOffset()));
  }

  /**
   * Judges what is pending by the master's table.
   *
   * @param sinceMs since when the master has kept its table, 0 when it does not say
   * @return what the master is to be told; pending until {@link #taken}
   */
  OffsetCommits judge(OffsetsFile master, long sinceMs) {
    boolean restarted = masterSinceMs != 0 && sinceMs != masterSinceMs;
    masterSinceMs = sinceMs;
    OffsetCommits told = new OffsetCommits();
    for (Iterator<Map.Entry<Place, Commit>> entries = pending.entrySet().iterator(); entries.hasNext(); ) {
      Map.Entry<Place, Commit> entry = entries.next();
      Place place = entry.getKey();
      Commit commit = entry.getValue();
      long at = master.offset(place.group(), place.topic(), place.queueId()).orElse(OffsetsProxy.NONE);
      if (at < commit.queueOffset() && (restarted || at >= commit.base())) {
        told.add(place.group(), place.topic(), place.queueId(), commit.queueOffset());
        entry.setValue(new Commit(Math.min(at, commit.base()), commit.queueOffset()));
      } else {
        entries.remove();
      }
    }
    return told;
  }

  /** The master has these now; what was committed here meanwhile stays pending. */
  void taken(OffsetCommits commits) {
    for (int i = 0; i < commits.count(); i++) {
      long queueOffset = commits.queueOffset(i);
      pending.computeIfPresent(
          new Place(commits.group(i), commits.topic(i), commits.queueId(i)),
          (place, commit) -> commit.queueOffset() == queueOffset ? null : new Commit(queueOffset, commit.queueOffset()));
    }
  }

  /** What was committed here to a queue and is pending. */
  Optional<Long> find(String group, String topic, int queueId) {
    return Optional.ofNullable(pending.get(new Place(group, topic, queueId))).map(Commit::queueOffset);
  }
}
