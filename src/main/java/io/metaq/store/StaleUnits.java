package io.metaq.store;

import io.metaq.codec.store.QueueUnit;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;

/**
 * Takes away what a crash has left behind the end of a queue. A power cut may have left units behind a longer run of zeros than is looked
 * at; {@link QueueFiles} tells them from those of a message.
 */
@OwnedBy("whoever opens the store")
final class StaleUnits {
  private static final int LOOKED_AT = 512 * QueueUnit.SIZE;

  private final int fileSize;
  private final ByteBuffer near = ByteBuffer.allocate(LOOKED_AT);

  StaleUnits(int fileSize) {
    this.fileSize = fileSize;
  }

  /** Whether anything stands at or soon behind {@code place}. */
  boolean in(UnitFile file, int place) throws IOException {
    return usedBytes(file, place) > 0;
  }

  /**
   * Zeroes the used part from {@code place} on; false when there is none. A short one is overwritten, a long one cut off, which costs the
   * file system ten times as much.
   */
  boolean clear(UnitFile file, int place) throws IOException {
    int used = usedBytes(file, place);
    if (used > LOOKED_AT / 2) {
      try (RandomAccessFile whole = new RandomAccessFile(file.path().toFile(), "rw")) {
        whole.setLength(place);
        whole.setLength(fileSize);
      }
    } else if (used > 0) {
      file.write(ByteBuffer.allocate(used), place);
    }
    return used > 0;
  }

  private int usedBytes(UnitFile file, int place) throws IOException {
    near.clear().limit(Math.min(LOOKED_AT, fileSize - place));
    file.read(near, place);
    int used = near.position();
    while (used > 0 && near.get(used - 1) == 0) {
      used--;
    }
    return used;
  }
}
