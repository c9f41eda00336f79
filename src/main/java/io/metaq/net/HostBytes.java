package io.metaq.net;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** An address as stored records and message ids hold it: 4 or 16 bytes of IP, then the port as i32. */
public final class HostBytes {
  private HostBytes() {}

  /** The bytes of a resolved address. */
  public static byte[] of(InetSocketAddress address) {
    byte[] ip = address.getAddress().getAddress();
    return ByteBuffer.allocate(ip.length + Integer.BYTES).put(ip).putInt(address.getPort()).array();
  }
}
