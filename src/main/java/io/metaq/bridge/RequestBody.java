package io.metaq.bridge;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** Collects the body of one request, up to its own limit and that of all. One that passes either is not read any further. */
@OwnedBy("its request's context")
final class RequestBody {
  private final HttpServerRequest request;
  private final int maxBytes;
  private final IncomingBytes incoming;
  private final Buffer collected = Buffer.buffer();
  private final Promise<Buffer> whole = Promise.promise();
  private long held;
  private boolean over;

  RequestBody(HttpServerRequest request, int maxBytes, IncomingBytes incoming) {
    this.request = request;
    this.maxBytes = maxBytes;
    this.incoming = incoming;
  }

  /** Begins to read. */
  Future<Buffer> read() {
    String announced = request.getHeader("Content-Length");
    if (announced != null && Long.parseLong(announced) > maxBytes) {
      return Future.failedFuture(tooLarge());
    }
    request.handler(this::part);
    request.endHandler(end -> whole.tryComplete(collected));
    request.exceptionHandler(broken -> whole.tryFail(Fault.INVALID.because("the request ended before its body did")));
    if (isHeldBack(request)) {
      request.response().writeContinue();
    }
    return whole.future();
  }

  /** Whether a body is sent when it is asked for, and has not come. */
  static boolean isHeldBack(HttpServerRequest request) {
    return "100-continue".equalsIgnoreCase(request.getHeader("Expect")) && request.version() == HttpVersion.HTTP_1_1 && !request.isEnded();
  }

  /** Nobody needs it any more, and nothing more of it is wanted. */
  void done() {
    over = true;
    incoming.release(held);
    held = 0;
  }

  private void part(Buffer part) {
    if (over) {
      return;
    }
    if (collected.length() + part.length() > maxBytes) {
      refuse(tooLarge());
    } else if (!incoming.take(part.length())) {
      refuse(Fault.UNAVAILABLE.because(
          "the bodies of all requests under way would have more than " + incoming.bound() + " bytes; come again in a moment"));
    } else {
      held += part.length();
      collected.appendBuffer(part);
    }
  }

  /** The rest of the body is not wanted, so no other request can follow on its connection. */
  private void refuse(BridgeException refusal) {
    over = true;
    request.response().putHeader("Connection", "close");
    whole.tryFail(refusal);
  }

  private BridgeException tooLarge() {
    return Fault.TOO_LARGE.because("the body is longer than " + maxBytes + " bytes");
  }
}
