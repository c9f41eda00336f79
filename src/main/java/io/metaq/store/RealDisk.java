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

  /**
   * Bytes of a mapping forced at once. When the disk is done the kernel ends the write page by page, in an interrupt, on a
   * processor that meanwhile runs no thread and takes no packet. So half a second of 200,000 messages, 36 MB, held up sends for up
   * to 70 ms (docs/benchmarks.md, "Ten minutes"). And before the write the kernel computes, on a processor that nobody else gets: a
   * page that was written through a mapping, as the key index's are, costs an interrupt of all other processors, 25 to 58 us. So a
   * checkpoint's 979 KB of index entries held a processor for 13.9 ms (ADR 0039).
   */
  static final int SLICE = 128 << 10;
  /** A slice waits for the disk's cache; where so many would not do, they are larger. */
  static final int MOST_SLICES = 64;

  private RealDisk() {}

  @Override
  public void force(Path file, FileChannel channel, boolean attributesToo) throws IOException {
    channel.force(attributesToo);
  }

  /** Slice by slice: see {@link #SLICE}. */
  @Override
  public void force(Path file, MappedByteBuffer bytes, int from, int to) throws IOException {
    try {
      int at = from;
      while (at < to) {
        int end = endOfSlice(at, from, to);
        bytes.force(at, end - at);
        at = end;
      }
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
  }

  /** Where the slice ends that begins at {@code at}: at a multiple of its size, so that no page is forced twice, or at {@code to}. */
  static int endOfSlice(int at, int from, int to) {
    long size = SLICE * (1L + (to - from) / SLICE / MOST_SLICES);
    return (int) Math.min(to, (at / size + 1) * size);
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
