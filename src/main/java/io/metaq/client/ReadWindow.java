package io.metaq.client;

import io.metaq.model.OwnedBy;

/**
 * How much of one queue may be read ahead of what its subscriber asked for. Reading goes on when half of the window is free, so that it
 * asks for many at a time.
 */
@OwnedBy("its client's context")
final class ReadWindow {
  private static final int MAX_BYTES = 1 << 20;

  /** No broker gives more at a time. */
  private static final int MAX_PULL = 64;

  private final int maxMessages;
  private int messages;
  private long bytes;

  ReadWindow(int maxMessages) {
    this.maxMessages = maxMessages;
  }

  /** How many messages to read now; 0 when the window is too full. */
  int room() {
    int free = maxMessages - messages;
    return bytes >= MAX_BYTES || free * 2 < maxMessages || free < 1 ? 0 : Math.min(free, MAX_PULL);
  }

  /** A message was read and waits for demand. */
  void arrived(int size) {
    messages++;
    bytes += size;
  }

  /** A waiting message went to the subscriber, or was dropped. */
  void left(int size) {
    messages--;
    bytes -= size;
  }
}
