package io.metaq.net;

import io.metaq.model.SharedFile;
import io.netty.channel.DefaultFileRegion;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** A part of a file on its way to a socket, given back when it has left or never will. Netty's own would close the file in the end. */
final class LentRegion extends DefaultFileRegion {
  private final SharedFile part;

  private LentRegion(FileChannel file, SharedFile part) {
    super(file, part.place(), part.size());
    this.part = part;
  }

  /** Takes the part over, unless this fails. */
  static LentRegion of(SharedFile part) throws IOException {
    return new LentRegion(part.channel(), part);
  }

  @Override
  protected void deallocate() {
    part.release();
  }
}
