package io.metaq.launcher;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * Who a broker is and where clients find it.
 *
 * @param address as clients are told it
 * @param chosen true when a person chose the address ({@code brokerIP1}, or a {@code bindAddress} of one machine): it is never replaced
 * @param port where it listens
 */
record BrokerIdentity(String cluster, String name, InetAddress address, boolean chosen, int port) {
  /**
   * @throws StartFailure when the configured address cannot be resolved
   */
  static BrokerIdentity of(Settings settings, int port) {
    String cluster = settings.text("brokerClusterName");
    String name = settings.optional("brokerName").orElseGet(LocalAddress::hostName);
    if (settings.optional("brokerIP1").isPresent()) {
      return new BrokerIdentity(cluster, name, resolve("brokerIP1", settings.text("brokerIP1")), true, port);
    }
    InetAddress bound = resolve("bindAddress", settings.text("bindAddress"));
    return bound.isAnyLocalAddress()
        ? new BrokerIdentity(cluster, name, LocalAddress.first(), false, port)
        : new BrokerIdentity(cluster, name, bound, true, port);
  }

  /** As stored records have it: 4 or 16 bytes of IP, then the port as i32. */
  byte[] storeHost() {
    byte[] ip = address.getAddress();
    return ByteBuffer.allocate(ip.length + Integer.BYTES).put(ip).putInt(port).array();
  }

  static InetAddress resolve(String key, String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new StartFailure(key + "=" + host + " is not an address of this machine: the name cannot be resolved", unknown);
    }
  }
}
