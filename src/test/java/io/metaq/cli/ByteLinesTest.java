package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteLinesTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8192})
  void shouldEndLinesAtReturnLineFeedAndBothTogether(int atOnce) throws IOException {
    assertThat(lines("a\nb\r\nc\rd\n\n\r\n\r\re", atOnce)).containsExactly("a", "b", "c", "d", "", "", "", "", "e");
    assertThat(lines("a\n", atOnce)).containsExactly("a");
    assertThat(lines("a\r\n", atOnce)).containsExactly("a");
    assertThat(lines("\n", atOnce)).containsExactly("");
    assertThat(lines("", atOnce)).isEmpty();
  }

  @Test
  void shouldTakeALineLongerThanWhatItReadsAtOnce() throws IOException {
    String longLine = "x".repeat(100_000);

    assertThat(lines(longLine + "\nb", 8192)).containsExactly(longLine, "b");
  }

  /** A read after the return would wait for the next line. */
  @Test
  void shouldHaveALineBeforeWhatFollowsItsReturn() throws IOException {
    InputStream terminal = new InputStream() {
      private final byte[] typed = {'a', '\r'};
      private int position;

      @Override
      public int read() throws IOException {
        if (position == typed.length) {
          throw new IOException("nothing is typed yet");
        }
        return typed[position++];
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        into[offset] = (byte) read();
        return 1;
      }
    };

    assertThat(new ByteLines(terminal).next()).isEqualTo(new byte[] {'a'});
  }

  private static List<String> lines(String text, int atOnce) throws IOException {
    InputStream slow = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, Math.min(length, atOnce));
      }
    };
    ByteLines lines = new ByteLines(slow);
    List<String> all = new ArrayList<>();
    for (byte[] line = lines.next(); line != null; line = lines.next()) {
      all.add(new String(line, StandardCharsets.UTF_8));
    }
    return all;
  }
}
