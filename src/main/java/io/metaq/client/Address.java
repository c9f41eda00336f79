package io.metaq.client;

import java.util.Optional;
import java.util.regex.Pattern;

/** Host and port of a server; as a text {@code host:port}, an IPv6 host in brackets. */
record Address(String host, int port) {
  private static final int MAX_PORT = 65535;
  private static final Pattern PORT = Pattern.compile("[1-9][0-9]{0,4}");

  /** A name server as a user writes it: the port may be missing. */
  static Address parseNameServer(String text) {
    boolean withPort = text.startsWith("[") ? text.contains("]:") : text.indexOf(':') >= 0;
    return find(withPort ? text : text + ":" + MetaqClientOptions.DEFAULT_NAME_SERVER_PORT)
        .orElseThrow(
            () -> MetaqException.of(MetaqException.Reason.INVALID, "'" + text + "' is not a name server of the form host:port"));
  }

  /** An address as routes have it; empty when it is none. */
  static Optional<Address> find(String text) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Math.max(0, colon));
    String port = text.substring(colon + 1);
    if (host.isEmpty() || !PORT.matcher(port).matches() || Integer.parseInt(port) > MAX_PORT) {
      return Optional.empty();
    }
    return Optional.of(new Address(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port)));
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
