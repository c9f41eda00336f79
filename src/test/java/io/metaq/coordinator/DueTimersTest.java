package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DueTimersTest {
  private static final long START_MS = 1_700_000_000_000L;
  private static final int CAPACITY = 50;

  private final DueTimers due = new DueTimers(CAPACITY);

  @Test
  void shouldGiveTheFirstDueFirstAndOfEqualOnesTheOldest() {
    due.begin(START_MS);
    due.offer(due.key(START_MS + 900, 52));
    due.offer(due.key(START_MS + 20, 156));
    due.offer(due.key(START_MS + 20, 104));

    assertThat(due.firstDueMs()).isEqualTo(START_MS + 20);
    assertThat(List.of(place(), place(), place())).containsExactly(104L, 156L, 52L);
    assertThat(due.isEmpty()).isTrue();
  }

  @Test
  void shouldGiveAllInOrderThoughItKeepsOnlySome() {
    SplittableRandom random = new SplittableRandom(7);
    long[] all = new long[1_000];
    due.begin(START_MS);
    for (int i = 0; i < all.length; i++) {
      all[i] = due.key(START_MS + random.nextInt(1, 1_001), i);
    }

    List<Long> given = new ArrayList<>();
    offer(all, -1);
    while (!due.isEmpty()) {
      given.add(due.take());
      if (due.isEmpty() && due.hasMore()) {
        offer(all, due.beginRest());
      }
    }

    Arrays.sort(all);
    assertThat(given).isEqualTo(Arrays.stream(all).boxed().toList());
  }

  @Test
  void shouldGiveOnceMoreWhatWasPutBackThoughMoreIsLeftOut() {
    due.begin(START_MS);
    for (int i = 0; i < 5 * CAPACITY; i++) {
      due.offer(due.key(START_MS + 1 + i, i));
    }
    long first = due.take();

    due.putBack(first);

    assertThat(due.take()).isEqualTo(first);
    assertThat(due.hasMore()).isTrue();
  }

  @Test
  void shouldTellWhichUnitsWait() {
    due.begin(START_MS);
    for (int i = 0; i < 5 * CAPACITY; i++) {
      due.offer(due.key(START_MS + 1 + i, i));
    }
    long taken = due.take();

    assertThat(due.holds(due.sorted(), taken)).isFalse();
    assertThat(due.holds(due.sorted(), due.key(START_MS + 2, 1))).isTrue();
    assertThat(due.holds(due.sorted(), due.key(START_MS + 5 * CAPACITY, 5 * CAPACITY - 1))).isTrue();
  }

  private void offer(long[] keys, long after) {
    for (long key : keys) {
      if (key > after) {
        due.offer(key);
      }
    }
  }

  private long place() {
    return DueTimers.placeOf(due.take());
  }
}
