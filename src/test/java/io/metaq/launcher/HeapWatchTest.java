package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
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

  private static final class DirectMemoryError extends OutOfMemoryError {
    private static final long serialVersionUID = 1;

    DirectMemoryError(String message) {
      super(message);
    }
  }
}
