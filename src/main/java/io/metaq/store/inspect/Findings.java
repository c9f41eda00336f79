package io.metaq.store.inspect;

import io.metaq.model.OwnedBy;
import io.metaq.store.inspect.Finding.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects what the inspectors find. All is counted; of each area and severity the first {@link #KEPT} are kept in full. */
@OwnedBy("whoever inspects")
final class Findings {
  /** A store that is damaged all over is told by its first places as well as by a million. */
  static final int KEPT = 100;

  private final Path root;
  private final List<Finding> kept = new ArrayList<>();
  private final Map<Area, long[]> counts = new EnumMap<>(Area.class);

  Findings(Path root) {
    this.root = root;
  }

  void damage(Area area, Path file, long place, String what, String recovery) {
    add(area, Severity.DAMAGE, file, place, what, recovery);
  }

  void remark(Area area, Path file, long place, String what, String recovery) {
    add(area, Severity.REMARK, file, place, what, recovery);
  }

  void add(Area area, Severity severity, Path file, long place, String what, String recovery) {
    if (++counts.computeIfAbsent(area, name -> new long[Severity.values().length])[severity.ordinal()] <= KEPT) {
      kept.add(new Finding(area, severity, root.relativize(file), place, what, recovery));
    }
  }

  long count(Area area, Severity severity) {
    return counts.containsKey(area) ? counts.get(area)[severity.ordinal()] : 0;
  }

  List<Finding> kept() {
    return List.copyOf(kept);
  }
}
