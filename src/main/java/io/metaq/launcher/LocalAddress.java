package io.metaq.launcher;

import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How this machine is called by others, as far as it can tell itself. */
final class LocalAddress {
  /** Bridges and tunnels of container engines: their addresses are good on this machine only. */
  private static final Pattern VIRTUAL = Pattern.compile("(docker|br-|veth|virbr|cni|flannel|cali|podman).*");

  private LocalAddress() {}

  /** The first address others may reach, IPv4 before IPv6; loopback when there is none. */
  static InetAddress first() {
    try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
      List<InetAddress> candidates =
          interfaces
              .filter(one -> !VIRTUAL.matcher(one.getName()).matches())
              .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
              .filter(LocalAddress::isUp)
              .flatMap(NetworkInterface::inetAddresses)
              .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
              .toList();
      return candidates.stream()
          .filter(Inet4Address.class::isInstance)
          .findFirst()
          .or(() -> candidates.stream().findFirst())
          .orElseGet(InetAddress::getLoopbackAddress);
    } catch (SocketException unknown) {
      return InetAddress.getLoopbackAddress();
    }
  }

  /** The host name; {@code localhost} when the machine does not know its own. */
  static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unknown) {
      return "localhost";
    }
  }

  private static boolean isUp(NetworkInterface one) {
    try {
      return one.isUp();
    } catch (SocketException gone) {
      throw new UncheckedIOException(gone);
    }
  }
}
