package io.metaq.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.store.Disk;
import io.metaq.store.FlushMode;
import io.metaq.store.TestDisk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The power is cut under the real store; and what the test would find if the store forced less. */
class PowerCutRoundTest {
  private static final int ROUNDS = 10;
  private static final int ROUNDS_OF_A_LIAR = 20;

  @TempDir
  Path folder;

  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void shouldLoseNothingThatWasForcedNorAcknowledgedUnderSyncFlush(FlushMode mode) throws IOException {
    List<RoundResult> results = run(mode, ROUNDS);

    assertThat(results).allSatisfy(result -> assertThat(result.faults()).isEmpty());
    assertThat(results.stream().mapToLong(RoundResult::acknowledged).sum()).isGreaterThan(1_000);
    assertThat(results.stream().mapToLong(RoundResult::lostAsExpected).sum() > 0).isEqualTo(mode == FlushMode.ASYNC_FLUSH);
    assertThat(results.stream().mapToInt(RoundResult::repaired).sum()).isGreaterThan(ROUNDS);
  }

  @Test
  void shouldBeTheSameEachTimeWithTheSameSeed() throws IOException {
    RoundResult first = new PowerCutRound(folder.resolve("first"), FlushMode.ASYNC_FLUSH, new SplittableRandom(7)).run();

    RoundResult second = new PowerCutRound(folder.resolve("second"), FlushMode.ASYNC_FLUSH, new SplittableRandom(7)).run();

    assertThat(second).isEqualTo(first);
  }

  @Test
  void shouldFindALogThatIsNotForced() throws IOException {
    boolean found = anyFinds(result -> result.lost() > 0, platter -> new TestDisk(platter) {
      @Override
      public void force(Path file, FileChannel channel, boolean attributesToo) throws IOException {
        if (!file.getParent().endsWith("commitlog")) {
          super.force(file, channel, attributesToo);
        }
      }
    });

    assertThat(found).isTrue();
  }

  @Test
  void shouldFindNamesThatAreNotForced() throws IOException {
    boolean found = anyFinds(result -> result.lost() > 0, platter -> new TestDisk(platter) {
      @Override
      public void forceNames(Path path) throws IOException {
        if (!path.endsWith("commitlog")) {
          super.forceNames(path);
        }
      }
    });

    assertThat(found).isTrue();
  }

  @Test
  void shouldFindACheckpointAheadOfItsQueues() throws IOException {
    boolean found = anyFinds(result -> !result.passed(), platter -> new TestDisk(platter) {
      @Override
      public void force(Path file, FileChannel channel, boolean attributesToo) throws IOException {
        if (!file.toString().contains("consumequeue")) {
          super.force(file, channel, attributesToo);
        }
      }
    });

    assertThat(found).isTrue();
  }

  private List<RoundResult> run(FlushMode mode, int rounds) throws IOException {
    List<RoundResult> results = new ArrayList<>();
    for (int seed = 1; seed <= rounds; seed++) {
      results.add(new PowerCutRound(folder.resolve(mode + "-" + seed), mode, new SplittableRandom(seed)).run());
    }
    return results;
  }

  /** Whether one of the rounds over a disk that lies shows it; the seeds are fixed, so it is always the same one. */
  private boolean anyFinds(Predicate<RoundResult> shows, UnaryOperator<Disk> liar) throws IOException {
    for (int seed = 1; seed <= ROUNDS_OF_A_LIAR; seed++) {
      if (shows.test(new PowerCutRound(folder.resolve("liar-" + seed), FlushMode.SYNC_FLUSH, new SplittableRandom(seed), liar).run())) {
        return true;
      }
    }
    return false;
  }
}
