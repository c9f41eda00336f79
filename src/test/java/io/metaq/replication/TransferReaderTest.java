package io.metaq.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferReaderTest {
  private final List<String> heard = new ArrayList<>();
  private final StringBuilder body = new StringBuilder();
  private final TransferReader reader = new TransferReader(new TransferReader.Sink() {
    @Override
    public boolean header(long phyOffset, int bodySize) {
      heard.add(phyOffset + "+" + bodySize);
      return phyOffset >= 0;
    }

    @Override
    public void body(ByteBuffer part) {
      while (part.hasRemaining()) {
        body.append((char) part.get());
      }
    }
  });

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 12, 13, 100})
  void shouldPutTransfersTogetherHoweverTheyAreCut(int partBytes) {
    byte[] bytes = ByteBuffer.allocate(100)
        .putLong(7).putInt(3).put("abc".getBytes()).putLong(10).putInt(0).putLong(10).putInt(2).put("de".getBytes()).array();
    int length = 3 * 12 + 5;

    for (int at = 0; at < length; at += partBytes) {
      assertThat(reader.read(ByteBuffer.wrap(bytes, at, Math.min(partBytes, length - at)))).isTrue();
    }

    assertThat(heard).containsExactly("7+3", "10+0", "10+2");
    assertThat(body).hasToString("abcde");
  }

  @Test
  void shouldRefuseABodyThatNoMasterSends() {
    assertThat(reader.read(ByteBuffer.allocate(12).putLong(0).putInt(-1).flip())).isFalse();
    assertThat(reader.read(ByteBuffer.allocate(12).putLong(0).putInt(TransferReader.LONGEST_BODY + 1).flip())).isFalse();
    assertThat(heard).isEmpty();
  }

  @Test
  void shouldEndWhenTheHeaderIsNotWanted() {
    assertThat(reader.read(ByteBuffer.allocate(13).putLong(-5).putInt(1).put((byte) 0).flip())).isFalse();
    assertThat(body).isEmpty();
  }
}
