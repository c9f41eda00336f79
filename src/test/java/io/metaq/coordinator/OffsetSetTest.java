package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OffsetSetTest {
  private final OffsetSet set = new OffsetSet();

  @Test
  void shouldContainWhatWasAddedAndNoNeighbour() {
    long[] offsets = {0, 1, 63, 64, 1_023, 1_024, 5_000_000_000L};

    for (long offset : offsets) {
      set.add(offset);
    }

    assertThat(LongStream.of(offsets)).allMatch(set::contains);
    assertThat(LongStream.of(2, 62, 65, 1_022, 1_025, 4_999_999_999L, 5_000_000_001L, 5_000_001_024L)).noneMatch(set::contains);
  }

  @Test
  void shouldBeEmptyUntilSomethingIsAdded() {
    assertThat(set.isEmpty()).isTrue();

    set.add(3);

    assertThat(set.isEmpty()).isFalse();
  }
}
