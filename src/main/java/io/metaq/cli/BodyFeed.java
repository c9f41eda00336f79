package io.metaq.cli;

import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Bodies from a file or standard input, for a thread that has other things to look at while none comes: another reads a bounded number
 * ahead, and is left to itself where it waits for input that never comes.
 */
@OwnedBy("a thread of its own reads, the command's main thread takes")
final class BodyFeed implements AutoCloseable {
  private static final int AHEAD = 64;
  private static final long LOOK_MS = 50;

  /** Where the bytes come from. Opened by the thread that reads, for that may block, too. */
  interface Input {
    InputStream open() throws IOException;
  }

  private final Input input;
  private final boolean lines;

  /** An empty one is the end. */
  private final BlockingQueue<Optional<byte[]>> ahead = new ArrayBlockingQueue<>(AHEAD);
  private final Thread reader = new Thread(this::read, "metaq-input");
  private volatile Throwable failure;
  private boolean ended;

  private BodyFeed(Input input, boolean lines) {
    this.input = input;
    this.lines = lines;
    reader.setDaemon(true);
    reader.start();
  }

  /** One body for each line. */
  static BodyFeed lines(Input input) {
    return new BodyFeed(input, true);
  }

  /** One body with all there is. */
  static BodyFeed whole(Input input) {
    return new BodyFeed(input, false);
  }

  /**
   * The next body, null when there is none for the moment.
   *
   * @throws IOException when reading failed; all that was read before has been taken by then
   */
  byte[] poll() throws IOException {
    try {
      Optional<byte[]> next = ahead.poll(LOOK_MS, TimeUnit.MILLISECONDS);
      if (next != null && next.isEmpty()) {
        ended = true;
        throwFailure();
      }
      return next == null ? null : next.orElse(null);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      ended = true;
      return null;
    }
  }

  /** Whether all has been taken. */
  boolean ended() {
    return ended;
  }

  /** Wants no more. */
  @Override
  public void close() {
    reader.interrupt();
  }

  private void read() {
    try {
      readAll();
    } catch (InterruptedException unwanted) {
      return;
    } catch (Throwable broken) {
      // Whoever takes would wait for ever for a thread that ended without a word.
      failure = broken;
    }
    try {
      ahead.put(Optional.empty());
    } catch (InterruptedException unwanted) {
      Thread.currentThread().interrupt();
    }
  }

  private void readAll() throws IOException, InterruptedException {
    try (InputStream in = input.open()) {
      if (lines) {
        ByteLines split = new ByteLines(in);
        for (byte[] line = split.next(); line != null; line = split.next()) {
          ahead.put(Optional.of(line));
        }
      } else {
        ahead.put(Optional.of(in.readAllBytes()));
      }
    }
  }

  private void throwFailure() throws IOException {
    if (failure instanceof IOException unreadable) {
      throw unreadable;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw new IllegalStateException("reading failed", failure);
    }
  }
}
