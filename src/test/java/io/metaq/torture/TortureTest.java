package io.metaq.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.store.FlushMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TortureTest {
  @TempDir
  Path folder;

  @Test
  void shouldBringEveryKindTogetherWithEveryMode() {
    Torture torture = torture(List.of(Kind.values()));
    Set<String> met = new HashSet<>();

    for (int number = 1; number <= 8; number++) {
      met.add(torture.kindOf(number) + " " + torture.modeOf(number));
    }

    assertThat(met).hasSize(Kind.values().length * FlushMode.values().length);
  }

  @Test
  void shouldRepeatTheRoundsOfASeedAndLeaveNothingOfThoseThatPass() throws IOException {
    Collected first = new Collected();
    Collected second = new Collected();

    torture(List.of(Kind.POWER_CUT)).run(2, first);
    torture(List.of(Kind.POWER_CUT)).run(2, second);

    assertThat(second.results).isEqualTo(first.results).hasSize(2);
    assertThat(first.results.get(1)).isNotEqualTo(first.results.get(0));
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void shouldNotCountTheRoundInWhichItIsStopped() throws IOException {
    Collected stoppedInTheFirst = new Collected() {
      @Override
      public void begins(int number, Kind kind, FlushMode mode) {
        stopped = true;
      }
    };

    Summary summary = torture(List.of(Kind.POWER_CUT)).run(2, stoppedInTheFirst);

    assertThat(summary.results()).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  private Torture torture(List<Kind> kinds) {
    return new Torture(folder, 42, List.of(FlushMode.values()), kinds, List.of());
  }

  private static class Collected implements Torture.Listener {
    protected boolean stopped;
    private final List<RoundResult> results = new ArrayList<>();

    @Override
    public void begins(int number, Kind kind, FlushMode mode) {}

    @Override
    public void ended(int number, RoundResult result, Path kept) {
      results.add(result);
    }

    @Override
    public boolean stopped() {
      return stopped;
    }
  }
}
