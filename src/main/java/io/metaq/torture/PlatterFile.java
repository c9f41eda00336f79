package io.metaq.torture;

import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A file twice: as it is now, and what of it is surely on the disk. It is kept open, so that its bytes can be read when its name has
 * long gone to another one.
 */
@OwnedBy("the thread of the round")
final class PlatterFile implements Platter.Node, AutoCloseable {
  private static final int PAGE = 4096;
  private static final int SECTOR = 512;

  private final FileChannel now;
  private byte[] sure = {};

  private PlatterFile(FileChannel now) {
    this.now = now;
  }

  /** A file of which nothing is sure yet. */
  static PlatterFile open(Path path) throws IOException {
    return new PlatterFile(FileChannel.open(path, StandardOpenOption.READ));
  }

  /** All that is in the file now is sure from here on. */
  void force() throws IOException {
    sure = content();
  }

  /** Bytes {@code [from, to)} are sure from here on, and the file's length. */
  void force(int from, int to) throws IOException {
    sure = Arrays.copyOf(sure, (int) now.size());
    read(sure, from, Math.min(to, sure.length));
  }

  /** What a power cut leaves: the sure bytes, and of the others what {@code luck} and {@code random} choose. */
  byte[] afterCut(Luck luck, RandomGenerator random) throws IOException {
    byte[] all = content();
    if (luck == Luck.ALL || Arrays.equals(all, sure)) {
      return all;
    }
    if (luck == Luck.NOTHING) {
      return sure;
    }
    int length = random.nextBoolean() ? all.length : sure.length;
    byte[] left = Arrays.copyOf(sure, length);
    int block = luck == Luck.SECTORS ? SECTOR : PAGE;
    double share = random.nextDouble();
    for (int at = 0; at < length; at += block) {
      if (random.nextDouble() < share) {
        int to = Math.min(at + block, Math.min(length, all.length));
        if (at < to) {
          System.arraycopy(all, at, left, at, to - at);
        }
      }
    }
    return left;
  }

  /** Which unforced bytes the device happened to have written. */
  enum Luck {
    NOTHING,
    ALL,
    /** Some pages, in no order. */
    PAGES,
    /** Some sectors, so that pages are torn. */
    SECTORS
  }

  @Override
  public void close() throws IOException {
    now.close();
  }

  private byte[] content() throws IOException {
    byte[] all = new byte[(int) now.size()];
    read(all, 0, all.length);
    return all;
  }

  private void read(byte[] into, int from, int to) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(into, from, to - from);
    while (bytes.hasRemaining() && now.read(bytes, bytes.position()) > 0) {
      // until all is there
    }
  }
}
