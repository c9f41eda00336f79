package io.metaq.client;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The connections of a client, one for each address, made when first needed and again after they ended. */
@OwnedBy("its client's context")
final class Links {
  private static final long SWEEP_MS = 100;

  /**
   * What nothing comes from for so long is closed, whatever is still to be written to it. Longer than any request takes, and than
   * the time between two heartbeats to a broker.
   */
  private static final int IDLE_SECONDS = 120;

  private final Home home;
  private final NetClient netClient;
  private final Optional<RequestSigner> signer;
  private final long stallMs;
  private final Map<Address, Link> open = new HashMap<>();

  /** Those that are open, and those that wait for their last answers. */
  private final Set<Link> living = new HashSet<>();
  private final Map<Address, Future<Link>> connecting = new HashMap<>();
  private Consumer<Link> onConnected = link -> {};
  private final Map<Integer, BiConsumer<RemotingCommand, Link>> services = new HashMap<>();
  private long sweepTimer = -1;
  private boolean closed;

  Links(Home home, MetaqClientOptions options) {
    this.home = home;
    this.netClient = home.vertx().createNetClient(netOptions(options));
    this.stallMs = options.getRequestTimeout().toMillis();
    this.signer = options.getCredentials().map(RequestSigner::new);
  }

  /** Called with each new connection before anything else is sent on it. */
  void onConnected(Consumer<Link> listener) {
    onConnected = listener;
  }

  /** Gives what servers ask or tell with a code to whoever serves it; an answer, if one is wanted, goes by {@link Link#answer}. */
  void serve(RequestCode code, BiConsumer<RemotingCommand, Link> service) {
    services.put(code.wire(), service);
  }

  /** The connection if there is one now, else null: the way without a future for those who send often. */
  Link ready(Address address) {
    Link link = open.get(address);
    return link != null && link.isOpen() ? link : null;
  }

  /** The connection to an address; fails with {@code CONNECTION} when there is none to be had. */
  Future<Link> to(Address address) {
    Link link = ready(address);
    if (link != null) {
      return Future.succeededFuture(link);
    }
    if (closed) {
      return Future.failedFuture(MetaqException.of(MetaqException.Reason.CLOSED, "the client is closed"));
    }
    Future<Link> running = connecting.get(address);
    if (running != null) {
      return running;
    }
    Promise<Link> promise = Promise.promise();
    connecting.put(address, promise.future());
    connect(address).onComplete(result -> {
      connecting.remove(address);
      if (result.failed()) {
        promise.fail(
            MetaqException.of(
                MetaqException.Reason.CONNECTION, "no connection to " + address + ": " + reason(result.cause()), result.cause()));
      } else {
        connected(address, result.result(), promise);
      }
    });
    return promise.future();
  }

  /** One request over the connection to an address. */
  Future<RemotingCommand> call(Address address, RemotingCommand request, long timeoutMs) {
    Link link = ready(address);
    return link != null ? link.call(request, timeoutMs) : to(address).compose(made -> made.call(request, timeoutMs));
  }

  /** The connections that are open now. */
  List<Link> all() {
    return open.values().stream().filter(Link::isOpen).toList();
  }

  /** Closes all of them and makes no more. */
  Future<Void> close() {
    closed = true;
    home.cancel(sweepTimer);
    List.copyOf(living).forEach(Link::close);
    living.clear();
    open.clear();
    return netClient.close();
  }

  /** Vert.x 4 throws where Vert.x 5 fails the future, as when it is closed. */
  private Future<NetSocket> connect(Address address) {
    try {
      return netClient.connect(address.port(), address.host());
    } catch (RuntimeException failure) {
      return Future.failedFuture(failure);
    }
  }

  private void connected(Address address, NetSocket socket, Promise<Link> promise) {
    if (closed) {
      socket.close();
      promise.fail(MetaqException.of(MetaqException.Reason.CLOSED, "the client is closed"));
      return;
    }
    if (sweepTimer < 0) {
      sweepTimer = home.every(SWEEP_MS, this::sweep);
    }
    Link link = new Link(home, address, socket, signer, stallMs, this::inbound);
    living.add(link);
    open.put(address, link);
    onConnected.accept(link);
    promise.complete(link);
  }

  private void inbound(RemotingCommand request, Link link) {
    BiConsumer<RemotingCommand, Link> service = services.get(request.code());
    if (service != null) {
      service.accept(request, link);
    } else if (!request.oneway()) {
      link.answer(
          request.response(
              ResultCode.REQUEST_CODE_NOT_SUPPORTED, "this client does not serve request " + request.code()));
    }
  }

  private void sweep() {
    long nowNs = home.clock().nanos();
    for (Link link : new ArrayList<>(living)) {
      link.sweep(nowNs);
      if (!link.isOpen()) {
        open.remove(link.address(), link);
      }
      if (link.hasEnded()) {
        living.remove(link);
      }
    }
  }

  private static NetClientOptions netOptions(MetaqClientOptions options) {
    NetClientOptions net =
        new NetClientOptions()
            .setConnectTimeout((int) options.getConnectTimeout().toMillis())
            .setReadIdleTimeout(IDLE_SECONDS)
            .setTcpNoDelay(true)
            .setSsl(options.isTls())
            .setHostnameVerificationAlgorithm(options.isVerifyHosts() ? "HTTPS" : "");
    options.getTrust().ifPresent(net::setTrustOptions);
    options.getKeyCert().ifPresent(net::setKeyCertOptions);
    return net;
  }

  private static String reason(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
