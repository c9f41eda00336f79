package io.metaq.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The operating system's file system. */
final class RealDisk implements Disk {
  static final RealDisk INSTANCE = new RealDisk();

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

  /** A system that cannot (Windows) keeps names by itself. */
  @Override
  public void forceNames(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException notPossibleHere) {
      return;
    }
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }
}
