package io.metaq.store;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A piece of memory of {@link ReadBuffers}, lent to one answer at a time. */
final class ReadBuffer implements Lender {
  private final ByteBuffer bytes;
  private final Consumer<ReadBuffer> back;

  ReadBuffer(ByteBuffer bytes, Consumer<ReadBuffer> back) {
    this.bytes = bytes;
    this.back = back;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public void release() {
    back.accept(this);
  }
}
