package io.metaq.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Stands in for standard output where it takes so many lines and then no more, as a full disk or a pipe whose reader has ended. */
final class FullDisk extends OutputStream {
  private int room;

  private FullDisk(int lines) {
    this.room = lines;
  }

  /** Standard output with room for so many lines. */
  static PrintStream withRoomFor(int lines) {
    return new PrintStream(new FullDisk(lines), true, StandardCharsets.UTF_8);
  }

  @Override
  public void write(int value) throws IOException {
    if (room == 0) {
      throw new IOException("No space left on device");
    }
    if (value == '\n') {
      room--;
    }
  }
}
