package io.metaq.bridge;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** Collects the body of one request, up to a limit. One that passes it is not read any further. */
@OwnedBy("its request's context")
final class RequestBody {
  private final HttpServerRequest request;
  private final int maxBytes;
  private final Buffer collected = Buffer.buffer();
  private final Promise<Buffer> whole = Promise.promise();
  private boolean over;

  private RequestBody(HttpServerRequest request, int maxBytes) {
    this.request = request;
    this.maxBytes = maxBytes;
  }

  static Future<Buffer> of(HttpServerRequest request, int maxBytes) {
    String announced = request.getHeader("Content-Length");
    if (announced != null && announced.length() > Integer.toString(maxBytes).length()) {
      return Future.failedFuture(tooLarge(maxBytes));
    }
    RequestBody body = new RequestBody(request, maxBytes);
    request.handler(body::part);
    request.endHandler(end -> body.whole.tryComplete(body.collected));
    request.exceptionHandler(broken -> body.whole.tryFail(Fault.INVALID.because("the request ended before its body did")));
    return body.whole.future();
  }

  private void part(Buffer part) {
    if (over) {
      return;
    }
    if (collected.length() + part.length() > maxBytes) {
      over = true;
      whole.tryFail(tooLarge(maxBytes));
    } else {
      collected.appendBuffer(part);
    }
  }

  private static BridgeException tooLarge(int maxBytes) {
    return Fault.TOO_LARGE.because("the body is longer than " + maxBytes + " bytes");
  }
}
