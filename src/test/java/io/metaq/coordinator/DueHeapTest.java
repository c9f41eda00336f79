package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DueHeapTest {

  private static final class Timed extends DueHeap.Entry {
    Timed(long dueMs) {
      super(dueMs);
    }
  }

  @Test
  void shouldGiveNothingBeforeItIsDue() {
    DueHeap<Timed> heap = new DueHeap<>();
    Timed one = new Timed(10);
    heap.add(one);

    assertThat(heap.due(9)).isNull();
    assertThat(heap.due(10)).isSameAs(one);
    heap.move(one, 20);
    assertThat(heap.due(19)).isNull();
    assertThat(heap.due(20)).isSameAs(one);
  }

  @Test
  void shouldStayInOrderWhateverIsAddedMovedAndTakenOut() {
    Random random = new Random(5);
    DueHeap<Timed> heap = new DueHeap<>();
    List<Timed> model = new ArrayList<>();
    for (int step = 0; step < 5_000; step++) {
      int choice = random.nextInt(4);
      if (choice < 2 || model.isEmpty()) {
        Timed added = new Timed(random.nextInt(1_000));
        heap.add(added);
        model.add(added);
      } else if (choice == 2) {
        heap.remove(model.remove(random.nextInt(model.size())));
      } else {
        heap.move(model.get(random.nextInt(model.size())), random.nextInt(1_000));
      }
      long earliest = model.stream().mapToLong(Timed::dueMs).min().orElse(Long.MAX_VALUE);
      assertThat(heap.size()).isEqualTo(model.size());
      assertThat(heap.due(earliest - 1)).isNull();
      assertThat(model.isEmpty() ? earliest : heap.due(earliest).dueMs()).isEqualTo(earliest);
    }

    heap.removeIf(timed -> timed.dueMs() % 2 == 0);
    model.removeIf(timed -> timed.dueMs() % 2 == 0);
    model.sort(Comparator.comparingLong(Timed::dueMs));
    for (Timed expected : model) {
      Timed next = heap.due(1_000);
      assertThat(next.dueMs()).isEqualTo(expected.dueMs());
      heap.remove(next);
      heap.remove(next);
    }
    assertThat(heap.size()).isZero();
  }
}
