package io.metaq.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.store.FlushMode;
import io.metaq.store.MessageStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamageTest {
  private static final StoreSizes SIZES = new StoreSizes(1 << 20, 2_000, 16, 100);
  private static final int SEEDS = 20;

  @TempDir
  Path folder;

  @Test
  void shouldTearTheLogBehindItsLastAcknowledgedMessageOnly() throws IOException {
    boolean torn = false;
    for (int seed = 0; seed < SEEDS; seed++) {
      Path store = folder.resolve("store" + seed);
      long[] end = new long[1];
      Path log = write(store, end);
      byte[] before = Files.readAllBytes(log);

      int done = new Damage(store, SIZES, new SplittableRandom(seed)).doSome(number -> number <= 1);

      byte[] after = Files.readAllBytes(log);
      int acknowledged = (int) end[0];
      assertThat(done).isPositive();
      assertThat(Arrays.copyOf(after, acknowledged)).isEqualTo(Arrays.copyOf(before, acknowledged));
      torn |= !Arrays.equals(after, before);
    }
    assertThat(torn).isTrue();
  }

  /** Stores two messages in one queue or two; {@code end} becomes the end of the first one. */
  private static Path write(Path store, long[] end) {
    SteppedClock clock = new SteppedClock();
    PendingMessages messages = new PendingMessages(clock, 1, 1);
    try (MessageStore open =
        MessageStore.open(SIZES.options(store).withFlushMode(FlushMode.SYNC_FLUSH), clock, line -> { })) {
      messages.bindTo(open);
      messages.fill(2, new SplittableRandom(1), new Ledger());
      open.log().append(messages.batch());
      end[0] = messages.batch().endOffset(0);
    }
    return store.resolve("commitlog").resolve("0".repeat(20));
  }
}
