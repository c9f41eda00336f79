package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.AppendStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Timers of all distances, recalls, refusals, and a process that dies in the middle of its batches, with old notes or fresh ones.
 */
class TimersRandomTest {
  private static final int STEPS = 150;
  private static final long DAY_MS = 86_400_000;

  @TempDir
  private Path root;
  private TimersRig rig;
  private SplittableRandom random;
  private final Map<String, Long> dueMs = new HashMap<>();
  private final TreeSet<String> takenBack = new TreeSet<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldDeliverEachOnceAndNoneThatWasTakenBack(long seed) throws IOException {
    random = new SplittableRandom(seed);
    rig = new TimersRig(root);
    rig.writeDown();

    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> send();
        case 4 -> takeBack();
        case 5, 6 -> rig.runOnce(random.nextInt(6), AppendStatus.UNAVAILABLE);
        case 7 -> rig.runFor(random.nextLong(2_500), 700);
        case 8 -> rig.writeDown();
        case 9 -> rig.dieAfter(random.nextInt(4));
        case 10 -> rig.kill();
        default -> rig.restart();
      }
    }
    rig.runFor(5 * DAY_MS, 3_600_000);

    List<String> expected = new ArrayList<>(dueMs.keySet());
    expected.removeAll(takenBack);
    assertThat(rig.deliveredKeys()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(rig.delivered()).allMatch(message -> message.storeTimestamp() >= dueMs.get(message.property("UNIQ_KEY")));
    assertThat(rig.timers.next()).isEqualTo(rig.log.maxOffset());
  }

  private void send() {
    long delayMs = random.nextInt(8) == 0 ? random.nextLong(4 * DAY_MS) : random.nextLong(6_000);
    for (int i = random.nextInt(4); i >= 0; i--) {
      String key = "k" + dueMs.size();
      rig.timerIn(delayMs, key);
      dueMs.put(key, rig.clock.millis() + delayMs);
    }
  }

  /** Only of what cannot be delivered before the recall is taken up. */
  private void takeBack() throws IOException {
    List<String> waiting = dueMs.keySet().stream().filter(key -> dueMs.get(key) > rig.clock.millis() + 1).sorted().toList();
    if (!waiting.isEmpty()) {
      String key = waiting.get(random.nextInt(waiting.size()));
      rig.recall(dueMs.get(key), key);
      takenBack.add(key);
      rig.timers.take();
    }
  }
}
