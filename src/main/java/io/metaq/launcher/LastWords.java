package io.metaq.launcher;

import io.metaq.model.OwnedBy;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A line for standard error and the end of the process after it, made ahead for when nothing can be made any more: ending takes no heap, no
 * lock, and none of the parts that would have to be stopped. What is stored is recovered as after a crash.
 */
@OwnedBy("the thread of HeapWatch, which prepares; any thread ends")
final class LastWords {
  private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
  private final AtomicBoolean spoken = new AtomicBoolean();
  private volatile byte[] line;

  LastWords(String line) {
    prepare(line);
  }

  void prepare(String newLine) {
    // Others may have begun a line and not come to its end.
    line = (System.lineSeparator() + newLine + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
  }

  /** Ends the process with {@code status}; returns only where another thread is doing so. */
  void end(int status) {
    if (!spoken.compareAndSet(false, true)) {
      return;
    }
    try {
      err.write(line);
    } catch (IOException | Error unheard) {
      // There is nobody left to tell.
    } finally {
      Runtime.getRuntime().halt(status);
    }
  }
}
