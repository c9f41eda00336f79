package io.metaq.bridge;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Host and port as {@code Host} and {@code Origin} headers have them. The usual ports of HTTP are taken as none, for browsers leave
 * them out.
 *
 * @param host in lower case, an IPv6 address in brackets
 * @param port -1 when it is the usual one
 */
record Authority(String host, int port) {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final Pattern AUTHORITY = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[0-9a-zA-Z._-]+)(?::([0-9]{1,5}))?");
  private static final Pattern ORIGIN = Pattern.compile("(?i)https?://([^/?#@]+)");
  private static final Pattern IP = Pattern.compile("\\[.*]|[0-9]{1,3}(\\.[0-9]{1,3}){3}");

  /** Empty when the text is none. */
  static Optional<Authority> of(String text) {
    Matcher matcher = AUTHORITY.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int port = matcher.group(2) == null ? -1 : Integer.parseInt(matcher.group(2));
    return Optional.of(new Authority(
        matcher.group(1).toLowerCase(Locale.ROOT), port == HTTP_PORT || port == HTTPS_PORT ? -1 : port));
  }

  /** Of an origin as browsers send it; empty for {@code null} and everything that is no page of the web. */
  static Optional<Authority> ofOrigin(String origin) {
    Matcher matcher = ORIGIN.matcher(origin);
    return matcher.matches() ? of(matcher.group(1)) : Optional.empty();
  }

  /** Nobody can make such a name point elsewhere: it is no name. */
  boolean isAddress() {
    return IP.matcher(host).matches();
  }

  boolean isLocal() {
    return host.equals("localhost") || host.endsWith(".localhost") || host.equals("[::1]") || host.startsWith("127.") && isAddress();
  }
}
