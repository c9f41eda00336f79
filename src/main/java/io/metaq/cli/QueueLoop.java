package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.PullResult;
import io.metaq.client.TopicQueue;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Reads one queue from its beginning to its end, round and round, one request after the other. */
@OwnedBy("the client's context after the first request")
final class QueueLoop {
  private final MetaqClient client;
  private final TopicQueue queue;
  private final int batch;
  private final Measurement measurement;
  private final Clock clock;
  private final BooleanSupplier over;
  private final Consumer<Throwable> onEnd;
  private long queueOffset;
  private long bodyBytes;

  /**
   * A loop that has not begun.
   *
   * @param over whether to stop instead of reading again
   * @param onEnd called once, with null or the failure it ended with
   */
  QueueLoop(
      MetaqClient client,
      TopicQueue queue,
      int batch,
      Measurement measurement,
      Clock clock,
      BooleanSupplier over,
      Consumer<Throwable> onEnd) {
    this.client = client;
    this.queue = queue;
    this.batch = batch;
    this.measurement = measurement;
    this.clock = clock;
    this.over = over;
    this.onEnd = onEnd;
  }

  /** Reads once, then goes on by itself. */
  void next() {
    if (over.getAsBoolean()) {
      onEnd.accept(null);
      return;
    }
    long startNs = clock.nanos();
    client.pull(queue, queueOffset, batch).subscribe().with(result -> answered(startNs, result), onEnd);
  }

  /** Bytes of all bodies read; look when it has ended. */
  long bodyBytes() {
    return bodyBytes;
  }

  private void answered(long startNs, PullResult result) {
    if (result.minQueueOffset() >= result.maxQueueOffset()) {
      onEnd.accept(null);
      return;
    }
    if (!result.messages().isEmpty()) {
      measurement.record(startNs, result.messages().size());
      result.messages().forEach(message -> bodyBytes += message.body().length);
    }
    queueOffset = result.nextQueueOffset() >= result.maxQueueOffset() ? result.minQueueOffset() : result.nextQueueOffset();
    next();
  }
}
