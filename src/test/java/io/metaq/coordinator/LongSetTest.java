package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LongSetTest {
  private final LongSet set = new LongSet();

  @Test
  void shouldContainWhatWasAddedAndNothingElse() {
    SplittableRandom random = new SplittableRandom(3);
    Set<Long> expected = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      long value = random.nextInt(2) == 0 ? random.nextLong() : random.nextLong(20_000);
      set.add(value);
      expected.add(value);
    }

    assertThat(expected).allMatch(set::contains);
    for (long value = 0; value < 20_000; value++) {
      assertThat(set.contains(value)).isEqualTo(expected.contains(value));
    }
  }

  @Test
  void shouldKnowZero() {
    assertThat(set.contains(0)).isFalse();

    set.add(0);

    assertThat(set.contains(0)).isTrue();
    assertThat(set.isEmpty()).isFalse();
  }

  @Test
  void shouldContainNothingWhenCleared() {
    set.add(0);
    set.add(7);

    set.clear();

    assertThat(set.isEmpty()).isTrue();
    assertThat(set.contains(0)).isFalse();
    assertThat(set.contains(7)).isFalse();
  }
}
