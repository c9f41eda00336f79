package io.metaq.launcher;

import io.vertx.core.transport.Transport;

/**
 * What serves the sockets of a process: the setting {@code nativeTransport}, and what this machine and class path have of it.
 *
 * @param name as logs and the setting write it
 */
record SocketTransport(String name, Transport vertx) {
  private static final SocketTransport NIO = new SocketTransport("nio", Transport.NIO);

  /** @throws StartFailure when the setting names one that is not to be had */
  static SocketTransport of(String setting) {
    return switch (setting) {
      case "false" -> NIO;
      case "epoll" -> named(setting, Transport.EPOLL);
      case "io_uring" -> named(setting, Transport.IO_URING);
      default -> best();
    };
  }

  /** Never io_uring by itself; docs/adr/0032. */
  private static SocketTransport best() {
    return Transport.EPOLL != null && Transport.EPOLL.available() ? new SocketTransport("epoll", Transport.EPOLL) : NIO;
  }

  private static SocketTransport named(String name, Transport vertx) {
    if (vertx == null) {
      throw new StartFailure("nativeTransport=" + name + " needs jars that are not on the class path: netty-transport-native-" + name
          + " and netty-transport-classes-" + name);
    }
    if (!vertx.available()) {
      throw new StartFailure("nativeTransport=" + name + " cannot be used here: " + vertx.unavailabilityCause(), vertx.unavailabilityCause());
    }
    return new SocketTransport(name, vertx);
  }
}
