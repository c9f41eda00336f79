package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadBuffersTest {
  private final ReadBuffers buffers = new ReadBuffers();

  @Test
  void shouldLendSoManyAndNoMore() {
    List<ReadBuffer> lent = takeAll();

    assertThat(lent).hasSize(ReadBuffers.MOST).doesNotHaveDuplicates();
    assertThat(buffers.take()).isEmpty();
    assertThat(lent).allSatisfy(buffer -> assertThat(buffer.bytes().capacity()).isEqualTo(ReadBuffers.BYTES));
  }

  @Test
  void shouldLendAgainWhatCameBack() {
    List<ReadBuffer> lent = takeAll();

    lent.get(7).release();

    assertThat(buffers.take()).containsSame(lent.get(7));
    assertThat(buffers.take()).isEmpty();
  }

  @Test
  void shouldMakeDoWithWhatThereIsWhereNoMoreMemoryIsToBeHad() {
    AtomicInteger asked = new AtomicInteger();
    ReadBuffers scarce = new ReadBuffers(bytes -> {
      if (asked.incrementAndGet() > 2) {
        throw new OutOfMemoryError("direct memory is used up");
      }
      return ByteBuffer.allocate(bytes);
    });
    ReadBuffer first = scarce.take().orElseThrow();
    ReadBuffer second = scarce.take().orElseThrow();

    assertThat(scarce.take()).isEmpty();
    assertThat(scarce.take()).isEmpty();

    assertThat(asked).hasValue(3);
    first.release();
    assertThat(scarce.take()).containsSame(first);
    second.release();
  }

  private List<ReadBuffer> takeAll() {
    List<ReadBuffer> lent = new ArrayList<>();
    for (int i = 0; i < ReadBuffers.MOST; i++) {
      lent.add(buffers.take().orElseThrow());
    }
    return lent;
  }
}
