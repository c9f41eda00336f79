package io.metaq.cli;

import io.metaq.client.Delivery;
import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The reading end of {@code bench e2e}. A body begins with the number of the run, which tells its messages from all others, and the
 * time its send began.
 */
@OwnedBy("the client's context; the main thread reads what has been probed")
final class Arrivals {
  /** Bytes a body needs. */
  static final int BODY_BYTES = 2 * Long.BYTES;

  /** In place of a time: only there to see whether the reader is ready. */
  static final long PROBE = Long.MIN_VALUE;

  private final long runId;
  private final Measurement measurement;
  private final Load load;
  private final Set<String> probedQueues = ConcurrentHashMap.newKeySet();

  Arrivals(long runId, Measurement measurement, Load load) {
    this.runId = runId;
    this.measurement = measurement;
    this.load = load;
  }

  /** A body of {@code size} bytes for a send that begins at {@code startNs}. */
  byte[] body(int size, long startNs) {
    return ByteBuffer.allocate(size).putLong(runId).putLong(startNs).array();
  }

  void arrived(Delivery delivery) {
    byte[] body = delivery.message().body();
    if (body.length < BODY_BYTES || ByteBuffer.wrap(body).getLong() != runId) {
      return;
    }
    long startNs = ByteBuffer.wrap(body).getLong(Long.BYTES);
    if (startNs == PROBE) {
      probedQueues.add(delivery.broker() + "/" + delivery.queueId());
    } else {
      measurement.record(startNs, 1);
      load.answered();
    }
  }

  /** How many queues are known to be read. */
  int probedQueues() {
    return probedQueues.size();
  }
}
