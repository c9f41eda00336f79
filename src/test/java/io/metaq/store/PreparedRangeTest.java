package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreparedRangeTest {
  @Test
  void shouldCallPreparedOnlyWhatIsFilled() {
    PreparedRange range = new PreparedRange(100);

    assertThat(range.claimChunk(100, 200)).isTrue();
    assertThat(range.isPrepared(100, 150)).isFalse();
    range.chunkFilled(200);

    assertThat(range.isPrepared(100, 200)).isTrue();
    assertThat(range.isPrepared(150, 201)).isFalse();
  }

  @Test
  void shouldLetThePreparerGoOnBehindAWriterThatOvertookIt() {
    PreparedRange range = new PreparedRange(0);

    range.claimForWriter(0, 500);

    assertThat(range.claimChunk(0, 300)).isFalse();
    assertThat(range.nextChunk()).isEqualTo(500);
  }

  @Test
  void shouldNotCallPreparedWhatHasAHoleThatAFailedWriteLeft() {
    PreparedRange range = new PreparedRange(0);
    range.claimForWriter(0, 500);
    range.writerFailed(500);

    range.claimChunk(500, 800);
    range.chunkFilled(800);

    assertThat(range.isPrepared(400, 600)).isFalse();
    assertThat(range.isPrepared(500, 600)).isTrue();
  }

  @Test
  void shouldNotFillAChunkAgainThatFailed() {
    PreparedRange range = new PreparedRange(0);
    range.claimChunk(0, 100);

    range.chunkFailed(100);
    range.claimForWriter(20, 60);

    assertThat(range.nextChunk()).isEqualTo(100);
    assertThat(range.isPrepared(0, 50)).isFalse();
  }

  @Test
  void shouldRememberTheHoleOfAChunkThatFailed() {
    PreparedRange range = new PreparedRange(0);
    range.claimChunk(0, 100);

    range.chunkFailed(100);
    range.claimChunk(100, 300);
    range.chunkFilled(300);

    assertThat(range.isPrepared(60, 70)).isFalse();
    assertThat(range.isPrepared(100, 300)).isTrue();
  }

  @Test
  void shouldMakeTheWriterWaitForAChunkThatIsBeingFilled() throws Exception {
    PreparedRange range = new PreparedRange(0);
    range.claimChunk(0, 100);
    AtomicBoolean done = new AtomicBoolean();
    CountDownLatch ended = new CountDownLatch(1);

    new Thread(() -> {
      range.claimForWriter(50, 150);
      done.set(true);
      ended.countDown();
    }).start();
    while (range.nextChunk() != 150) {
      Thread.onSpinWait();
    }
    boolean early = done.get();
    range.chunkFilled(100);

    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(early).isFalse();
  }

  /** Seen before: a chunk that failed while the writer waited for it was filled a second time, over what had been written there. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldNeverLetZerosOverwriteARecord(boolean diskFailsNowAndThen) throws Exception {
    int size = 1 << 20;
    for (int round = 0; round < 20; round++) {
      PreparedRange range = new PreparedRange(0);
      ByteBuffer file = ByteBuffer.allocate(size);
      Thread preparer = new Thread(() -> {
        long from = range.nextChunk();
        while (from < size) {
          long to = Math.min(size, from + 1024);
          if (range.claimChunk(from, to)) {
            for (int i = (int) from; i < to; i++) {
              file.put(i, (byte) 0);
            }
            if (diskFailsNowAndThen && to % 3 == 0) {
              range.chunkFailed(to);
            } else {
              range.chunkFilled(to);
            }
          }
          from = range.nextChunk();
        }
      });
      preparer.start();

      for (int at = 0; at + 100 <= size; at += 100) {
        range.claimForWriter(at, at + 100);
        for (int i = at; i < at + 100; i++) {
          file.put(i, (byte) 1);
        }
      }
      preparer.join();

      for (int i = 0; i < size - 100; i++) {
        assertThat(file.get(i)).isEqualTo((byte) 1);
      }
    }
  }
}
