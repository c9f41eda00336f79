package io.metaq.broker;

import io.metaq.model.OwnedBy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * The tallies of one loop by name. Whoever counts keeps its tally, so a name is hashed once for each topic and group, not for each
 * message. A concurrent map, because the sampler walks it while the loop adds a name.
 *
 * <p>Bound: {@value #MOST} names; what comes beyond is counted together under none of them.
 */
@OwnedBy("its event loop; read by everyone")
final class LoopTallies {
  static final int MOST = 8_192;

  private final Map<Name, Tally> tallies = new ConcurrentHashMap<>();
  private final Tally others = new Tally();
  private int names;

  /** What is counted, and under which key. */
  record Name(Statistic.Source source, String key) {}

  /** Owner: the tally of a group's messages of a topic. */
  Tally of(Statistic.Source source, String topic, String group) {
    Name name = new Name(source, Statistic.keyOf(topic, group));
    Tally known = tallies.get(name);
    if (known != null) {
      return known;
    }
    if (names >= MOST) {
      return others;
    }
    names++;
    Tally made = new Tally();
    tallies.put(name, made);
    return made;
  }

  void each(BiConsumer<Name, Tally> visitor) {
    tallies.forEach(visitor);
  }

  /** Adds the counts of a name, if this loop has any. */
  void addTo(Name name, long[] total) {
    Tally tally = tallies.get(name);
    if (tally != null) {
      tally.addTo(total);
    }
  }
}
