package io.metaq.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.store.Disk;
import io.metaq.store.FlushMode;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
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
    List<RoundResult> results = run(mode, ROUNDS, platter -> platter);

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
    List<RoundResult> results = run(FlushMode.SYNC_FLUSH, ROUNDS_OF_A_LIAR, platter -> new Liar(platter) {
      @Override
      public void force(Path file, FileChannel channel, boolean attributesToo) throws IOException {
        if (!file.getParent().endsWith("commitlog")) {
          super.force(file, channel, attributesToo);
        }
      }
    });

    assertThat(results.stream().mapToLong(RoundResult::lost).sum()).isPositive();
  }

  @Test
  void shouldFindNamesThatAreNotForced() throws IOException {
    List<RoundResult> results = run(FlushMode.SYNC_FLUSH, ROUNDS_OF_A_LIAR, platter -> new Liar(platter) {
      @Override
      public void forceNames(Path path) throws IOException {
        if (!path.endsWith("commitlog")) {
          super.forceNames(path);
        }
      }
    });

    assertThat(results.stream().mapToLong(RoundResult::lost).sum()).isPositive();
  }

  @Test
  void shouldFindACheckpointAheadOfItsQueues() throws IOException {
    List<RoundResult> results = run(FlushMode.SYNC_FLUSH, ROUNDS_OF_A_LIAR, platter -> new Liar(platter) {
      @Override
      public void force(Path file, FileChannel channel, boolean attributesToo) throws IOException {
        if (!file.toString().contains("consumequeue")) {
          super.force(file, channel, attributesToo);
        }
      }
    });

    assertThat(results).anySatisfy(result -> assertThat(result.passed()).isFalse());
  }

  private List<RoundResult> run(FlushMode mode, int rounds, UnaryOperator<Disk> view) throws IOException {
    List<RoundResult> results = new ArrayList<>();
    for (int seed = 1; seed <= rounds; seed++) {
      results.add(new PowerCutRound(folder.resolve(mode + "-" + seed), mode, new SplittableRandom(seed), view).run());
    }
    return results;
  }

  /** Says that all is on the disk. */
  private static class Liar implements Disk {
    private final Disk disk;

    Liar(Disk disk) {
      this.disk = disk;
    }

    @Override
    public void force(Path file, FileChannel channel, boolean attributesToo) throws IOException {
      disk.force(file, channel, attributesToo);
    }

    @Override
    public void force(Path file, MappedByteBuffer bytes, int from, int to) throws IOException {
      disk.force(file, bytes, from, to);
    }

    @Override
    public void forceNames(Path path) throws IOException {
      disk.forceNames(path);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
      disk.move(from, to);
    }

    @Override
    public void link(Path file, Path second) throws IOException {
      disk.link(file, second);
    }

    @Override
    public void delete(Path file) throws IOException {
      disk.delete(file);
    }
  }
}
