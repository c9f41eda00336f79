package io.metaq.store;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A disk that does what another does, for tests to change in some of it. */
public class TestDisk implements Disk {
  private final Disk disk;

  /** This machine's. */
  public TestDisk() {
    this(Disk.real());
  }

  public TestDisk(Disk disk) {
    this.disk = disk;
  }

  @Override
  public void force(Path file, FileChannel channel, boolean attributesToo) throws IOException {
    disk.force(file, channel, attributesToo);
  }

  @Override
  public void force(Path file, MappedByteBuffer bytes, int from, int to) throws IOException {
    disk.force(file, bytes, from, to);
  }

  @Override
  public void forceNames(Path folder) throws IOException {
    disk.forceNames(folder);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    disk.move(from, to);
  }

  @Override
  public void link(Path file, Path second) throws IOException {
    disk.link(file, second);
  }

  @Override
  public void delete(Path file) throws IOException {
    disk.delete(file);
  }
}
