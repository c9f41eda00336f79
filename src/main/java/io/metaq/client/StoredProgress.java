package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a broker was told of a group's progress in one queue. One request at a time: brokers serve requests side by side, so of two on
 * their way the older could be the last to arrive, and take the group back.
 */
@OwnedBy("its client's context")
final class StoredProgress {
  private static final Logger log = LoggerFactory.getLogger(StoredProgress.class);

  private final BrokerOffsets offsets;
  private final String group;
  private final TopicQueue queue;
  private Future<Void> last = Future.succeededFuture();
  private long storedQueueOffset = -1;

  StoredProgress(BrokerOffsets offsets, String group, TopicQueue queue) {
    this.offsets = offsets;
    this.group = group;
    this.queue = queue;
  }

  /** Stores an offset if it is news and no request is on its way; the next note does it otherwise. */
  void note(long queueOffset) {
    if (queueOffset >= 0 && queueOffset != storedQueueOffset && last.isComplete()) {
      store(queueOffset)
          .onFailure(
              failure -> log.debug("progress not stored yet group={} queue={} cause={}", group, queue, failure.getMessage()));
    }
  }

  /** Stores the last offset, behind any that is on its way; completes when that is done or has failed. */
  Future<Void> finish(long queueOffset) {
    if (queueOffset < 0) {
      return Future.succeededFuture();
    }
    return store(queueOffset)
        .transform(
            done -> {
              if (done.failed()) {
                log.warn(
                    "progress not stored, messages will be delivered again group={} queue={} queueOffset={} cause={}",
                    group, queue, queueOffset, done.cause().getMessage());
              }
              return Future.succeededFuture();
            });
  }

  private Future<Void> store(long queueOffset) {
    last =
        last.transform(
            before ->
                queueOffset == storedQueueOffset
                    ? Future.succeededFuture()
                    : offsets.store(group, queue, queueOffset).onSuccess(stored -> storedQueueOffset = queueOffset));
    return last;
  }
}
