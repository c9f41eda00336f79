package io.metaq.client;

import io.metaq.codec.record.StoredMessage;
import io.metaq.model.SysFlag;
import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Bodies as applications see them: unpacked when the producer compressed them. */
final class Bodies {
  private static final int TYPE_SHIFT = 8;
  private static final int TYPE_MASK = 7;
  private static final int LZ4 = 1;
  private static final int ZSTD = 2;
  private static final int CHUNK_BYTES = 8192;

  /** A body that unpacks to more than this is not believed. */
  static final int MAX_UNPACKED_BYTES = 64 << 20;

  private Bodies() {}

  static boolean compressed(StoredMessage message) {
    return (message.sysFlag() & SysFlag.COMPRESSED) != 0;
  }

  /**
   * The body unpacked; takes time in proportion to its size, so not on an event loop.
   *
   * @throws DataFormatException when it cannot be unpacked; the message says why
   */
  static byte[] unpack(StoredMessage message) throws DataFormatException {
    int type = message.sysFlag() >> TYPE_SHIFT & TYPE_MASK;
    if (type == LZ4 || type == ZSTD) {
      throw new DataFormatException((type == LZ4 ? "lz4" : "zstd") + " is not understood by this client");
    }
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(message.body());
      ByteArrayOutputStream out = new ByteArrayOutputStream(message.body().length * 4);
      byte[] chunk = new byte[CHUNK_BYTES];
      while (!inflater.finished()) {
        int count = inflater.inflate(chunk);
        if (count == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
          throw new DataFormatException("the compressed body is cut short");
        }
        out.write(chunk, 0, count);
        if (out.size() > MAX_UNPACKED_BYTES) {
          throw new DataFormatException("it unpacks to more than " + MAX_UNPACKED_BYTES + " bytes");
        }
      }
      return out.toByteArray();
    } finally {
      inflater.end();
    }
  }
}
