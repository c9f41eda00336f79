package io.metaq.client;

import com.github.luben.zstd.ZstdInputStream;
import io.metaq.codec.record.StoredMessage;
import io.metaq.model.SysFlag;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.Deflater;
import java.util.zip.InflaterInputStream;
import net.jpountz.lz4.LZ4FrameInputStream;

/**
 * Bodies packed for the way and unpacked for applications. Written is zlib, which every client reads; zlib, lz4 (frame format) and
 * zstd are read, the last two with libraries that the application adds.
 */
final class Bodies {
  private static final int TYPE_SHIFT = 8;
  private static final int TYPE_MASK = 7;
  private static final int ZLIB = 3;
  private static final int LZ4 = 1;
  private static final int ZSTD = 2;
  private static final int ZLIB_LEVEL = 5;
  private static final int CHUNK_BYTES = 8192;

  /** Bits of the system flag that say zlib, beside the one that says compressed. */
  static final int ZLIB_FLAG = ZLIB << TYPE_SHIFT;

  /** A body that unpacks to more than this is not believed. */
  static final int MAX_UNPACKED_BYTES = 64 << 20;

  private Bodies() {}

  /** Opens a packed stream. */
  private interface Format {
    InputStream open(InputStream packed) throws IOException;
  }

  static boolean compressed(StoredMessage message) {
    return compressed(message.sysFlag());
  }

  static boolean compressed(int sysFlag) {
    return (sysFlag & SysFlag.COMPRESSED) != 0;
  }

  /** A body in zlib's format; takes time in proportion to its size, so not on an event loop. */
  static byte[] pack(byte[] body) {
    Deflater deflater = new Deflater(ZLIB_LEVEL);
    try {
      deflater.setInput(body);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 2);
      byte[] chunk = new byte[CHUNK_BYTES];
      while (!deflater.finished()) {
        out.write(chunk, 0, deflater.deflate(chunk));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /** As {@link #unpack(byte[], int)}, of a stored record. */
  static byte[] unpack(StoredMessage message) {
    return unpack(message.body(), message.sysFlag());
  }

  /**
   * A compressed body unpacked; takes time in proportion to its size, so not on an event loop.
   *
   * @throws MetaqException with {@code UNREADABLE} when it cannot be unpacked; the message says why
   */
  static byte[] unpack(byte[] body, int sysFlag) {
    int type = sysFlag >> TYPE_SHIFT & TYPE_MASK;
    return switch (type) {
      // Lambdas and not method references, which would link the library's class right here.
      case LZ4 -> unpack(body, "lz4", "at.yawk.lz4:lz4-java", packed -> Lz4Body.open(packed));
      case ZSTD -> unpack(body, "zstd", "com.github.luben:zstd-jni", packed -> ZstdBody.open(packed));
      // Clients before 5.0 know only zlib, and leave the type out.
      case ZLIB, 0 -> unpack(body, "zlib", "", InflaterInputStream::new);
      default -> throw unreadable("its compression has type " + type + ", which is unknown", null);
    };
  }

  private static byte[] unpack(byte[] body, String format, String library, Format how) {
    try (InputStream in = how.open(new ByteArrayInputStream(body))) {
      ByteArrayOutputStream out = new ByteArrayOutputStream(body.length * 4);
      byte[] chunk = new byte[CHUNK_BYTES];
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        out.write(chunk, 0, count);
        if (out.size() > MAX_UNPACKED_BYTES) {
          throw unreadable("it unpacks to more than " + MAX_UNPACKED_BYTES + " bytes", null);
        }
      }
      return out.toByteArray();
    } catch (IOException | RuntimeException damaged) {
      throw damaged instanceof MetaqException typed
          ? typed
          : unreadable("it is no " + format + ": " + damaged.getMessage(), damaged);
    } catch (NoClassDefFoundError missing) {
      throw unreadable("it is " + format + ", for which " + library + " has to be on the class path", missing);
    }
  }

  private static MetaqException unreadable(String why, Throwable cause) {
    return MetaqException.of(MetaqException.Reason.UNREADABLE, "the body cannot be unpacked: " + why, cause);
  }

  /** Apart, so that the library is only looked for when such a body comes. */
  private static final class Lz4Body {
    static InputStream open(InputStream packed) throws IOException {
      return new LZ4FrameInputStream(packed);
    }
  }

  /** Apart, so that the library is only looked for when such a body comes. */
  private static final class ZstdBody {
    static InputStream open(InputStream packed) throws IOException {
      return new ZstdInputStream(packed);
    }
  }
}
