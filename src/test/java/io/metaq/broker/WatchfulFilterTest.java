package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.RecordLayout;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchfulFilterTest {
  private static final long OWN = 1;
  private static final long OTHER = 2;
  private static final long NOBODYS = 3;

  private final WatchfulFilter filter = new WatchfulFilter(code -> code == OWN, List.of(code -> code == OTHER));

  @Test
  void shouldNoteTheFirstRecordThatIsPassedOverForAnother() {
    assertThat(takes(OWN, 10)).isTrue();
    assertThat(takes(OTHER, 11)).isFalse();
    assertThat(takes(OTHER, 12)).isFalse();

    assertThat(filter.firstPassedOver()).isEqualTo(11);
  }

  @Test
  void shouldLookIntoTheLogForOthersUpToTheFirstThatIsPassedOver() {
    assertThat(filter.admits(NOBODYS)).isFalse();
    assertThat(filter.admits(OTHER)).isTrue();
    takes(OTHER, 11);

    assertThat(filter.admits(OTHER)).isFalse();
    assertThat(filter.admits(OWN)).isTrue();
  }

  private boolean takes(long tagsCode, long queueOffset) {
    ByteBuffer record = ByteBuffer.allocate(RecordLayout.FIXED_SIZE).putLong(RecordLayout.QUEUE_OFFSET, queueOffset);
    return filter.admits(tagsCode) && filter.admits(record, 0);
  }
}
