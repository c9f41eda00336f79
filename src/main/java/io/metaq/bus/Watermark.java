package io.metaq.bus;

import io.vertx.core.Vertx;

/**
 * Everything below {@code phyOffset} is safe in the sense of {@code kind}. Told once for each force or replica acknowledgement to the
 * senders that wait.
 */
public record Watermark(Kind kind, long phyOffset) {
  /** What has been reached. */
  public enum Kind {
    FLUSHED,
    REPLICATED
  }

  /** @param senders who is to hear of it, one bit for each */
  public void tell(Vertx vertx, long senders) {
    for (long left = senders; left != 0; left &= left - 1) {
      vertx.eventBus().send(BusAddress.watermark(Long.numberOfTrailingZeros(left)), this, LocalBus.LOCAL);
    }
  }
}
