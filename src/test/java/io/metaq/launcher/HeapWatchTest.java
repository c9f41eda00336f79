package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class HeapWatchTest {
  private static final Logger log = LoggerFactory.getLogger(HeapWatchTest.class);

  @AfterEach
  void listenNoMore() {
    ((LoggerContext) LoggerFactory.getILoggerFactory()).resetTurboFilterList();
  }

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
  void shouldHearOfEveryFailureThatIsLogged() {
    List<Throwable> heard = new ArrayList<>();
    OutOfMemoryError full = new OutOfMemoryError("Java heap space");
    Logging.tellFailures(failure -> {
      if (failure == full) {
        heard.add(failure);
      }
    });

    log.error("alone", full);
    log.error("with one more what={}", 1, full);
    log.error("with two more what={} then={}", 1, 2, full);
    log.trace("though this is not shown", full);
    log.error("no failure what={}", "x");

    assertThat(heard).hasSize(4);
  }

  private static final class DirectMemoryError extends OutOfMemoryError {
    private static final long serialVersionUID = 1;

    DirectMemoryError(String message) {
      super(message);
    }
  }
}
