package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameCutterTest {
  private final List<byte[]> frames = new ArrayList<>();
  private final FrameCutter cutter =
      new FrameCutter((bytes, from, length) -> frames.add(Arrays.copyOfRange(bytes, from, from + length)));

  @Test
  void shouldCutTheSameFramesHoweverTheBytesArrive() {
    Random random = new Random(3);
    List<byte[]> sent = new ArrayList<>();
    Buffer all = Buffer.buffer();
    for (int i = 0; i < 300; i++) {
      byte[] frame = frame(4 + random.nextInt(i % 50 == 0 ? 70_000 : 200), random);
      sent.add(frame);
      all.appendBytes(frame);
    }

    for (int maxPiece : new int[] {1, 3, 100, 5000, 1 << 20}) {
      frames.clear();
      for (int at = 0; at < all.length(); ) {
        int piece = Math.min(all.length() - at, 1 + random.nextInt(maxPiece));
        cutter.feed(all.getBuffer(at, at + piece));
        at += piece;
      }

      assertThat(frames).usingElementComparator(Arrays::compare).containsExactlyElementsOf(sent);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 3, 16_777_217, Integer.MAX_VALUE})
  void shouldRefuseALengthThatNoFrameHas(int length) {
    assertThatThrownBy(() -> cutter.feed(Buffer.buffer().appendInt(length)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Integer.toString(length));
  }

  private static byte[] frame(int length, Random random) {
    byte[] content = new byte[length];
    random.nextBytes(content);
    return Buffer.buffer().appendInt(length).appendBytes(content).getBytes();
  }
}
