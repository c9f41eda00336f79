package io.metaq.codec.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.store.CheckpointLayout.Checkpoint;
import java.nio.ByteBuffer;
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
  void shouldNotReadAFileThatIsTooShort() {
    assertThat(CheckpointLayout.decode(new byte[47])).isEmpty();
  }
}
