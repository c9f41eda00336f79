package io.metaq.replication;

import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;

/** Cuts what a master sends into headers and bodies; a body is handed on as it comes, in parts. */
@OwnedBy("the session that made it")
final class TransferReader {
  /** A master sends bodies of {@code haTransferBatchSize}; far more is no master. */
  static final int LONGEST_BODY = 64 << 20;

  /** Hears what came. */
  interface Sink {
    /** A transfer begins; false ends the reading. */
    boolean header(long phyOffset, int bodySize);

    /** A part of its body. */
    void body(ByteBuffer part);
  }

  private final Sink sink;
  private final ByteBuffer header = ByteBuffer.allocate(TransferHeader.SIZE);
  private int bodyLeft;

  TransferReader(Sink sink) {
    this.sink = sink;
  }

  /** Takes what came; false when it is no transfer, or {@link Sink#header} said so. */
  boolean read(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (bodyLeft > 0) {
        readBody(bytes);
      } else if (!readHeader(bytes)) {
        return false;
      }
    }
    return true;
  }

  private void readBody(ByteBuffer bytes) {
    int part = Math.min(bodyLeft, bytes.remaining());
    int next = bytes.position() + part;
    bodyLeft -= part;
    sink.body(bytes.slice(bytes.position(), part));
    bytes.position(next);
  }

  private boolean readHeader(ByteBuffer bytes) {
    while (bytes.hasRemaining() && header.hasRemaining()) {
      header.put(bytes.get());
    }
    if (header.hasRemaining()) {
      return true;
    }
    header.clear();
    bodyLeft = header.getInt(8);
    return bodyLeft >= 0 && bodyLeft <= LONGEST_BODY && sink.header(header.getLong(0), bodyLeft);
  }
}
