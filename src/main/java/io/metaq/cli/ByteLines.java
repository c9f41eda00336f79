package io.metaq.cli;

import io.metaq.model.OwnedBy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Lines as they are, in any encoding that keeps ASCII's line ends: \n, \r and \r\n. */
@OwnedBy("the thread that reads")
final class ByteLines {
  private static final int BLOCK = 8192;
  private static final int END = -1;

  private final InputStream in;
  private final byte[] block = new byte[BLOCK];
  private int position;
  private int limit;
  private boolean afterReturn;

  ByteLines(InputStream in) {
    this.in = in;
  }

  /** The next line without its end, null when there is none. Blocks until it is there. */
  byte[] next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int value = read();
      // Not read together with the \r: at a terminal the line is there before what follows it.
      boolean secondHalf = value == '\n' && afterReturn;
      afterReturn = value == '\r';
      if (value == END) {
        return line.size() == 0 ? null : line.toByteArray();
      }
      if (value == '\n' || value == '\r') {
        if (!secondHalf) {
          return line.toByteArray();
        }
      } else {
        line.write(value);
      }
    }
  }

  private int read() throws IOException {
    if (position == limit) {
      limit = Math.max(0, in.read(block));
      position = 0;
    }
    return limit == 0 ? END : block[position++] & 0xff;
  }
}
