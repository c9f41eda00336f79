package io.metaq.store;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * A file mapped into memory that can be unmapped when we say so: left to the collector, a deleted file would keep its disk space. From
 * JDK 22 on the mapping lives in an {@code Arena}; before, the buffer's cleaner is run. Both are reached by method handles because the
 * sources are compiled for 17; neither needs a flag or prints a warning on its JDKs.
 *
 * <p>After {@link #unmap} no slice of {@link #bytes()} may be touched: up to 21 that would end the process.
 */
final class Mapping {
  private static final Mapper MAPPER = Runtime.version().feature() >= 22 ? new ArenaMapper() : new CleanerMapper();

  private final MappedByteBuffer bytes;
  private final Unmapper unmapper;

  private Mapping(MappedByteBuffer bytes, Unmapper unmapper) {
    this.bytes = bytes;
    this.unmapper = unmapper;
  }

  /** Maps the first {@code size} bytes for reading and writing. */
  static Mapping of(FileChannel channel, long size) throws IOException {
    try {
      return MAPPER.map(channel, size);
    } catch (IOException | RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new IOException("cannot map a file", failure);
    }
  }

  /** The mapped bytes, big-endian. */
  MappedByteBuffer bytes() {
    return bytes;
  }

  /** Gives the memory back; once. */
  void unmap() {
    try {
      unmapper.unmap();
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new IllegalStateException("cannot unmap a file", failure);
    }
  }

  private interface Mapper {
    Mapping map(FileChannel channel, long size) throws Throwable;
  }

  private interface Unmapper {
    void unmap() throws Throwable;
  }

  private static final class ArenaMapper implements Mapper {
    private final MethodHandle newArena;
    private final MethodHandle map;
    private final MethodHandle asByteBuffer;
    private final MethodHandle close;

    ArenaMapper() {
      try {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Class<?> arena = Class.forName("java.lang.foreign.Arena");
        Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
        newArena = lookup.findStatic(arena, "ofShared", MethodType.methodType(arena));
        map = lookup.findVirtual(
            FileChannel.class, "map", MethodType.methodType(segment, MapMode.class, long.class, long.class, arena));
        asByteBuffer = lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
        close = lookup.findVirtual(arena, "close", MethodType.methodType(void.class));
      } catch (ReflectiveOperationException failure) {
        throw new IllegalStateException("this JDK has no arenas", failure);
      }
    }

    @Override
    public Mapping map(FileChannel channel, long size) throws Throwable {
      Object arena = newArena.invoke();
      Object segment = map.invoke(channel, MapMode.READ_WRITE, 0L, size, arena);
      return new Mapping((MappedByteBuffer) asByteBuffer.invoke(segment), () -> close.invoke(arena));
    }
  }

  private static final class CleanerMapper implements Mapper {
    private final MethodHandle invokeCleaner;

    CleanerMapper() {
      try {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field instance = unsafe.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        invokeCleaner = MethodHandles.lookup()
            .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
            .bindTo(instance.get(null));
      } catch (ReflectiveOperationException failure) {
        throw new IllegalStateException("this JDK has no cleaner for mapped buffers", failure);
      }
    }

    @Override
    public Mapping map(FileChannel channel, long size) throws IOException {
      MappedByteBuffer bytes = channel.map(MapMode.READ_WRITE, 0, size);
      return new Mapping(bytes, () -> invokeCleaner.invoke((ByteBuffer) bytes));
    }
  }
}
