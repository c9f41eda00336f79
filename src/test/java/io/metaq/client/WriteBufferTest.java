package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WriteBufferTest {
  private static final int MANY = 1 << 20;

  private final WriteBuffer buffer = new WriteBuffer();

  @Test
  void shouldGiveWhatWasWrittenSinceTheLastTime() {
    buffer.sink().putInt(7);
    buffer.sink().putInt(8);

    assertThat(buffer.take().getInt(4)).isEqualTo(8);
    assertThat(buffer.take().length()).isZero();
  }

  @Test
  void shouldKeepItsArrayFromOneRoundToTheNext() {
    round(MANY);
    byte[] array = buffer.sink().array();

    round(MANY / 3);
    round(MANY);

    assertThat(buffer.sink().array()).isSameAs(array);
  }

  @Test
  void shouldGiveBackWhatSmallRoundsDoNotNeed() {
    round(MANY);

    for (int i = 0; i < 100; i++) {
      round(10);
    }

    assertThat(buffer.capacityBytes()).isLessThanOrEqualTo(WriteBuffer.KEPT_TIMES * WriteBuffer.FIRST_BYTES);
  }

  @Test
  void shouldGiveBackWhatIsNotNeededWhileNothingIsWritten() {
    round(MANY);

    for (int i = 0; i < 100; i++) {
      buffer.rest();
    }

    assertThat(buffer.capacityBytes()).isLessThanOrEqualTo(WriteBuffer.KEPT_TIMES * WriteBuffer.FIRST_BYTES);
  }

  @Test
  void shouldKeepWhatIsNotTakenYet() {
    buffer.sink().putInt(7);

    buffer.rest();

    assertThat(buffer.take().getInt(0)).isEqualTo(7);
  }

  private void round(int bytes) {
    buffer.sink().putBytes(new byte[bytes]);
    buffer.take();
  }
}
