package io.metaq.bridge;

import io.metaq.model.AddressRanges;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps pages of other origins out, by whatever way they come: by a script (its {@code Origin} is not allowed), by a name that was made
 * to point here ({@code Host} is not ours), by a form or an image (no {@code Origin}, but the browser or its {@code Referer} tells).
 * Programs send none of these headers and pass.
 */
final class RequestGuard {
  /** What a form can send without asking first. */
  private static final List<String> FORM_TYPES =
      List.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");

  private final AddressRanges administrators;
  private final Set<String> hosts = new HashSet<>();
  private final Set<String> origins = new HashSet<>();

  RequestGuard(BridgeOptions options) {
    this.administrators = options.adminAllowedFrom();
    options.hosts().forEach(name -> hosts.add(name.toLowerCase(Locale.ROOT)));
    options.origins().forEach(origin -> origins.add(origin.toLowerCase(Locale.ROOT)));
  }

  /** @throws BridgeException when the request may not have what it asks for */
  void check(HttpServerRequest request, Access access) {
    if (access == Access.OPEN) {
      return;
    }
    Authority host = host(request);
    if (access == Access.READ) {
      return;
    }
    refuseForeignPage(request, host);
    if (access == Access.ADMIN && !administrator(request)) {
      throw Fault.NOT_PERMITTED.because("changes of topics and groups are taken from the addresses of adminAllowedFrom only");
    }
  }

  /** The origin to name in an answer that the page may see. */
  Optional<String> allowedOrigin(HttpServerRequest request) {
    String origin = request.getHeader("Origin");
    return origin == null ? Optional.empty()
        : Optional.of(origin).filter(text -> allowed(text, Authority.of(String.valueOf(request.getHeader("Host")))));
  }

  private Authority host(HttpServerRequest request) {
    String header = request.getHeader("Host");
    Optional<Authority> host = header == null ? Optional.empty() : Authority.of(header);
    return host.filter(name -> name.isAddress() || name.isLocal() || hosts.contains(name.host())).orElseThrow(
        () -> Fault.HOST_REFUSED.because("the header Host does not name this server; names it shall answer to stand in httpHosts"));
  }

  private void refuseForeignPage(HttpServerRequest request, Authority host) {
    String origin = request.getHeader("Origin");
    String site = request.getHeader("Sec-Fetch-Site");
    boolean foreign = origin != null
        ? !allowed(origin, Optional.of(host))
        : "cross-site".equals(site) || "same-site".equals(site) || foreignForm(request, host);
    if (foreign) {
      throw Fault.ORIGIN_REFUSED.because("the page that asks for this is of another origin; origins that may stand in httpOrigins");
    }
  }

  /** A form of an old browser, which names only the page it was on. */
  private boolean foreignForm(HttpServerRequest request, Authority host) {
    String type = String.valueOf(request.getHeader("Content-Type")).toLowerCase(Locale.ROOT);
    String referer = request.getHeader("Referer");
    return referer != null && FORM_TYPES.stream().anyMatch(type::startsWith) && !sameOrigin(originOf(referer), host);
  }

  private static String originOf(String url) {
    int path = url.indexOf('/', url.indexOf("://") + "://".length());
    return path < 0 ? url : url.substring(0, path);
  }

  private boolean allowed(String origin, Optional<Authority> host) {
    return origins.contains("*") || origins.contains(origin.toLowerCase(Locale.ROOT))
        || Authority.ofOrigin(origin).filter(Authority::isLocal).isPresent()
        || host.isPresent() && sameOrigin(origin, host.get());
  }

  private static boolean sameOrigin(String origin, Authority host) {
    return Authority.ofOrigin(origin).filter(host::equals).isPresent();
  }

  private boolean administrator(HttpServerRequest request) {
    try {
      byte[] ip = InetAddress.getByName(request.remoteAddress().hostAddress()).getAddress();
      return administrators.contains(ip, ip.length);
    } catch (UnknownHostException noAddress) {
      return false;
    }
  }
}
