package io.metaq.model;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * A part of a file that belongs to somebody else, lent until {@link #release()}, so that its bytes can go to a socket without passing
 * through the process. Whoever holds one releases it exactly once.
 */
public interface SharedFile {
  /** Where the file can be read; not to be closed, and of use until the release only. */
  FileChannel channel() throws IOException;

  /** Place of the first byte in the file. */
  long place();

  int size();

  /** Gives the part back. Callable from any thread. */
  void release();
}
