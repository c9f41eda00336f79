package io.metaq.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;
import io.netty.channel.MessageSizeEstimator;

/** How much of what is written counts as unsent: all of it. Netty by itself counts a file as nothing. */
final class WireSizes implements MessageSizeEstimator, MessageSizeEstimator.Handle {
  static final WireSizes INSTANCE = new WireSizes();

  private WireSizes() {}

  @Override
  public Handle newHandle() {
    return this;
  }

  @Override
  public int size(Object written) {
    if (written instanceof ByteBuf bytes) {
      return bytes.readableBytes();
    }
    return written instanceof FileRegion file ? (int) file.count() : 0;
  }
}
