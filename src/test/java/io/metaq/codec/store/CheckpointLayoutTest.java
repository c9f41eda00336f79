package io.metaq.codec.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.store.CheckpointLayout.Checkpoint;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CheckpointLayoutTest {
  @Test
  void shouldReadBackWhatItWroteAndLeaveTheRestAlone() {
    byte[] file = new byte[CheckpointLayout.FILE_SIZE];
    ByteBuffer.wrap(file).putLong(24, 77).putLong(32, 88);
    Checkpoint checkpoint = new Checkpoint(1_700_000_000_000L, 1_700_000_000_500L, 5, 4096);

    CheckpointLayout.encode(checkpoint, file);

    assertThat(CheckpointLayout.decode(file)).contains(checkpoint);
    assertThat(ByteBuffer.wrap(file).getLong(8)).isEqualTo(1_700_000_000_500L);
    assertThat(ByteBuffer.wrap(file).getLong(24)).isEqualTo(77);
    assertThat(ByteBuffer.wrap(file).getLong(32)).isEqualTo(88);
    assertThat(ByteBuffer.wrap(file).getLong(40)).isEqualTo(4096);
  }

  @Test
  void shouldBeSafeThreeSecondsBeforeTheOlderOfLogAndQueues() {
    assertThat(new Checkpoint(10_000, 8_000, 0, 0).safeTimestamp()).isEqualTo(5_000);
    assertThat(new Checkpoint(7_000, 8_000, 0, 0).safeTimestamp()).isEqualTo(4_000);
    assertThat(new Checkpoint(0, 8_000, 0, 0).safeTimestamp()).isZero();
  }

  @Test
  void shouldNotTakeStrayBytesForACheckpoint() {
    byte[] stray = new byte[CheckpointLayout.FILE_SIZE];
    Arrays.fill(stray, (byte) 0x5A);
    byte[] negative = new byte[CheckpointLayout.FILE_SIZE];
    CheckpointLayout.encode(new Checkpoint(1, 1, 1, -1), negative);

    assertThat(CheckpointLayout.decode(stray)).isEmpty();
    assertThat(CheckpointLayout.decode(negative)).isEmpty();
  }

  @Test
  void shouldNotReadAFileThatIsTooShort() {
    assertThat(CheckpointLayout.decode(new byte[CheckpointLayout.FILE_SIZE - 1])).isEmpty();
  }
}
