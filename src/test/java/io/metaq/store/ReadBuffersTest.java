package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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

  private List<ReadBuffer> takeAll() {
    List<ReadBuffer> lent = new ArrayList<>();
    for (int i = 0; i < ReadBuffers.MOST; i++) {
      lent.add(buffers.take().orElseThrow());
    }
    return lent;
  }
}
