package io.metaq.nameserver;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the handler of a request, and sees to it that every request gets an answer. */
@OwnedBy("NameServerVerticle")
final class RequestHandlers {
  private static final Logger log = LoggerFactory.getLogger(RequestHandlers.class);

  private final Map<Integer, RequestHandler> handlers = new HashMap<>();

  /** Requests that are answered on the spot. */
  RequestHandlers on(RequestCode code, Function<NameServerRequest, RemotingCommand> handler) {
    return onAsync(code, request -> Future.succeededFuture(handler.apply(request)));
  }

  RequestHandlers onAsync(RequestCode code, RequestHandler handler) {
    handlers.put(code.wire(), handler);
    return this;
  }

  /** Requests that change things for others: answered on the spot, and only to those who may. */
  RequestHandlers onAdmin(RequestCode code, Function<NameServerRequest, RemotingCommand> handler) {
    return onAdminAsync(code, request -> Future.succeededFuture(handler.apply(request)));
  }

  RequestHandlers onAdminAsync(RequestCode code, RequestHandler handler) {
    return onAsync(code, request -> request.mayAdminister() ? handler.handle(request) : notPermitted(request));
  }

  private static Future<RemotingCommand> notPermitted(NameServerRequest request) {
    log.warn("an administrative request was refused code={} remote={}", request.command().code(), request.remote());
    return Future.succeededFuture(request.command().response(ResultCode.NO_PERMISSION,
        "request " + request.command().code() + " is taken only from the addresses of adminAllowedFrom"));
  }

  /** The answer of a request; never fails. */
  Future<RemotingCommand> handle(NameServerRequest request) {
    RemotingCommand command = request.command();
    RequestHandler handler = handlers.get(command.code());
    if (handler == null) {
      return Future.succeededFuture(
          command.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, " request type " + command.code() + " not supported"));
    }
    try {
      return handler.handle(request).otherwise(failure -> failed(request, failure));
    } catch (RuntimeException | Error failure) {
      return Future.succeededFuture(failed(request, failure));
    }
  }

  private static RemotingCommand failed(NameServerRequest request, Throwable failure) {
    if (failure instanceof HeaderException || failure instanceof BodyException) {
      return request.command().response(ResultCode.SYSTEM_ERROR, failure.getMessage());
    }
    log.error("a request failed code={} remote={}", request.command().code(), request.remote(), failure);
    return request.command().response(ResultCode.SYSTEM_ERROR, failure.toString());
  }
}
