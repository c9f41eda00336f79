package io.metaq.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The exclusive lock on a store's folder: byte 0 of its file {@code lock}, held by one process at a time. */
final class StoreLock implements AutoCloseable {
  private static final String CONTENT = "lock";

  private final FileChannel channel;

  private StoreLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock without waiting.
   *
   * @throws StoreException when somebody else has it
   */
  static StoreLock take(Path root) throws IOException {
    FileChannel channel = FileChannel.open(
        root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw new StoreException("the store folder " + root + " is in use by another process; stop that one, or choose another folder");
      }
      channel.write(ascii(CONTENT), 0);
      return new StoreLock(channel);
    } catch (IOException | RuntimeException failure) {
      channel.close();
      throw failure;
    }
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(0, 1, false);
    } catch (OverlappingFileLockException heldInThisProcess) {
      return null;
    }
  }

  /**
   * Whether a mapping sees what is written through the channel. Tried out here, in a file that is there anyway: on a full disk no other
   * could be written.
   */
  boolean showsWritesInMappings() throws IOException {
    Mapping mapping = Mapping.of(channel, CONTENT.length());
    try {
      byte before = mapping.bytes().get(0);
      channel.write(ascii("L"), 0);
      return before == 'l' && mapping.bytes().get(0) == 'L';
    } finally {
      mapping.unmap();
      channel.write(ascii(CONTENT), 0);
    }
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
