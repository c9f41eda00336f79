package io.metaq.launcher;

/**
 * Something a process listens on.
 *
 * @param role {@code name server} or {@code broker}
 * @param host where clients find it
 */
public record Endpoint(String role, String host, int port) {
  /** {@code host:port}, an IPv6 address in brackets. */
  public String address() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  @Override
  public String toString() {
    return role + " " + address();
  }
}
