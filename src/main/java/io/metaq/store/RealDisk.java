package io.metaq.store;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** The operating system's file system. */
final class RealDisk implements Disk {
  static final RealDisk INSTANCE = new RealDisk();

  private static final boolean FOLDERS_CAN_BE_OPENED = File.separatorChar == '/';
  /** EINVAL, EBADF, ENOTSUP and ENOSYS; the JDK has no code for them. */
  private static final Set<String> CANNOT_FORCE_FOLDERS =
      Set.of("Invalid argument", "Bad file descriptor", "Operation not supported", "Function not implemented");

  private RealDisk() {}

  @Override
  public void force(Path file, FileChannel channel, boolean attributesToo) throws IOException {
    channel.force(attributesToo);
  }

  @Override
  public void force(Path file, MappedByteBuffer bytes, int from, int to) throws IOException {
    try {
      bytes.force(from, to - from);
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
  }

  /**
   * Windows, and file systems that refuse to force a folder, keep names by themselves. Any other failure is one: what was not forced
   * must not be taken for safe. The names in a folder that is gone need not be kept.
   */
  @Override
  public void forceNames(Path folder) throws IOException {
    if (!FOLDERS_CAN_BE_OPENED) {
      return;
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (NoSuchFileException gone) {
      return;
    } catch (IOException failure) {
      if (!CANNOT_FORCE_FOLDERS.contains(failure.getMessage())) {
        throw failure;
      }
    }
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void link(Path file, Path second) throws IOException {
    Files.createLink(second, file);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }
}
