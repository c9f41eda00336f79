package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class HeapWatchTest {
  @Test
  void shouldKnowAnAllocationInTheHeapThatFailed() {
    OutOfMemoryError full = new OutOfMemoryError("Java heap space");

    assertThat(HeapWatch.ofHeap(full)).isTrue();
    assertThat(HeapWatch.ofHeap(new OutOfMemoryError("GC overhead limit exceeded"))).isTrue();
    assertThat(HeapWatch.ofHeap(new CompletionException(new IllegalStateException(full)))).isTrue();
  }

  @Test
  void shouldLeaveWhatFailsBesideTheHeap() {
    assertThat(HeapWatch.ofHeap(new OutOfMemoryError("Cannot reserve 1024 bytes of direct buffer memory"))).isFalse();
    assertThat(HeapWatch.ofHeap(new OutOfMemoryError("unable to create native thread"))).isFalse();
    assertThat(HeapWatch.ofHeap(new OutOfMemoryError())).isFalse();
    assertThat(HeapWatch.ofHeap(new DirectMemoryError("Java heap space"))).isFalse();
    assertThat(HeapWatch.ofHeap(new StackOverflowError("Java heap space"))).isFalse();
  }

  @Test
  void shouldNotFollowCausesThatGoInACircle() {
    Exception one = new Exception("one");
    Exception other = new Exception("other", one);
    one.initCause(other);

    assertThat(HeapWatch.ofHeap(one)).isFalse();
  }

  @Test
  void shouldTellThreadsOfAClosedPoolFromThoseThatFail() {
    ExecutorService closed = Executors.newSingleThreadExecutor();
    closed.shutdown();
    Throwable rejected = catchThrowable(() -> closed.execute(() -> { }));

    assertThat(HeapWatch.endsWithItsPool(rejected)).isTrue();
    assertThat(HeapWatch.endsWithItsPool(new IllegalStateException(rejected))).isFalse();
    assertThat(HeapWatch.endsWithItsPool(new StackOverflowError())).isFalse();
  }

  private static final class DirectMemoryError extends OutOfMemoryError {
    private static final long serialVersionUID = 1;

    DirectMemoryError(String message) {
      super(message);
    }
  }
}
