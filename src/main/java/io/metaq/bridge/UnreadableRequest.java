package io.metaq.bridge;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;

/** Answers what cannot be read as a request. Where the next one would begin is not known either, so its connection ends. */
final class UnreadableRequest {
  static final int MAX_LINE_BYTES = 16 << 10;
  /** A reader's position over all queues of a large topic comes in one. */
  static final int MAX_HEADER_BYTES = 96 << 10;

  private UnreadableRequest() {}

  static void refuse(HttpServerRequest unreadable) {
    Answer problem = Answer.problem(problem(unreadable.decoderResult().cause()));
    HttpDoor.write(problem.with("Connection", "close"), unreadable.response()).onComplete(done -> unreadable.connection().close());
  }

  private static BridgeException problem(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return Fault.LINE_TOO_LONG.because("the first line of the request has more than " + MAX_LINE_BYTES + " bytes");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return Fault.HEADERS_TOO_LARGE.because("the headers of the request have more than " + MAX_HEADER_BYTES + " bytes");
    }
    return Fault.INVALID.because("the request breaks the rules of HTTP");
  }
}
