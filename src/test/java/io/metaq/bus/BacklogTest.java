package io.metaq.bus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BacklogTest {
  private static final int LOOPS = 2;
  private static final int BATCHES = 50_000;

  private final Backlog backlog = new Backlog(LOOPS);

  @Test
  void shouldTellThatABatchWaitsUntilItWasTaken() {
    assertThat(backlog.isWaiting()).isFalse();

    backlog.handed();
    assertThat(backlog.isWaiting()).isTrue();

    backlog.taken(1);
    assertThat(backlog.isWaiting()).isFalse();
  }

  @Test
  void shouldNotMistakeTheBatchOfAnotherSenderForOneOfALoop() {
    backlog.handed();

    backlog.taken(LOOPS);

    assertThat(backlog.isWaiting()).isTrue();
  }

  @Test
  void shouldTellNothingOfABatchThatWasTakenBeforeItWasCounted() {
    backlog.taken(0);
    assertThat(backlog.isWaiting()).isFalse();

    backlog.handed();
    assertThat(backlog.isWaiting()).isFalse();
  }

  /** What waits is in the queue by then, whoever put it there; a writer that trusts this never looks in vain, nor for ever. */
  @Test
  @Timeout(60)
  void shouldTellOfEveryBatchOfSeveralLoopsAndOnlyWhenItIsThere() throws Exception {
    Queue<Integer> queue = new ConcurrentLinkedQueue<>();
    List<Thread> loops = new ArrayList<>();
    for (int loop = 0; loop < LOOPS; loop++) {
      int sender = loop;
      loops.add(new Thread(() -> {
        for (int i = 0; i < BATCHES; i++) {
          queue.add(sender);
          backlog.handed();
        }
      }));
    }

    loops.forEach(Thread::start);
    int emptyHanded = 0;
    for (int taken = 0; taken < LOOPS * BATCHES; ) {
      if (!backlog.isWaiting()) {
        Thread.yield();
        continue;
      }
      Integer sender = queue.poll();
      if (sender == null) {
        emptyHanded++;
      } else {
        backlog.taken(sender);
        taken++;
      }
    }
    for (Thread loop : loops) {
      loop.join();
    }

    assertThat(emptyHanded).isZero();
    assertThat(backlog.isWaiting()).isFalse();
    assertThat(queue).isEmpty();
  }
}
