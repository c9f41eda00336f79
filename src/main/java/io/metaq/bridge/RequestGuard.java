package io.metaq.bridge;

import io.metaq.model.AddressRanges;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps pages of other origins out, by whatever way they come: by a script (its {@code Origin} is not allowed), by a name that was
 * made to point here ({@code Host} is not ours), by a form or an image: then there is no {@code Origin}, and whether the page is
 * ours is told by {@code Sec-Fetch-Site}, or where browsers send none, as over HTTP to names that are not local, by {@code
 * Referer}. Programs send none of these headers and pass; what calls itself {@code Mozilla/}, as every browser does, must show one
 * of them.
 */
final class RequestGuard {
  private static final String BROWSER = "Mozilla/";

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
      throw Fault.NOT_PERMITTED.because("the cluster is changed from the addresses of adminAllowedFrom only");
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
    if (origin != null ? !allowed(origin, Optional.of(host)) : foreignBrowser(request, host)) {
      throw Fault.ORIGIN_REFUSED.because("the page that asks for this is of another origin; origins that may stand in httpOrigins");
    }
  }

  private boolean foreignBrowser(HttpServerRequest request, Authority host) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return !site.equals("same-origin") && !site.equals("none");
    }
    String referer = request.getHeader("Referer");
    if (referer != null) {
      return !allowed(originOf(referer), Optional.of(host));
    }
    String agent = request.getHeader("User-Agent");
    return agent != null && agent.startsWith(BROWSER);
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
