package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Progress} at a broker. One request at a time: brokers serve requests side by side, so of two on their way the older could be the
 * last to arrive, and take the group back.
 */
@OwnedBy("its client's context")
final class StoredProgress implements Progress {
  private static final Logger log = LoggerFactory.getLogger(StoredProgress.class);

  private final BrokerOffsets offsets;
  private final String group;
  private final TopicQueue queue;
  private Future<Void> last = Future.succeededFuture();

  /** -1 also after a failure: the request may have been carried out. */
  private long storedQueueOffset = -1;

  /** What it was stored over: a broker that was restarted may know an older one. */
  private Object storedOver;

  StoredProgress(BrokerOffsets offsets, String group, TopicQueue queue) {
    this.offsets = offsets;
    this.group = group;
    this.queue = queue;
  }

  @Override
  public Future<OptionalLong> load() {
    return offsets.stored(group, queue).onSuccess(stored -> kept(stored.orElse(-1)));
  }

  @Override
  public void note(long queueOffset) {
    if (queueOffset >= 0 && last.isComplete() && !isKept(queueOffset)) {
      store(queueOffset)
          .onFailure(
              failure -> log.debug("progress not stored yet group={} queue={} cause={}", group, queue, failure.getMessage()));
    }
  }

  @Override
  public Future<Void> finish(long queueOffset, boolean late) {
    if (queueOffset < 0) {
      return last.otherwiseEmpty();
    }
    return (late ? storeForward(queueOffset) : store(queueOffset))
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

  @Override
  public Future<Void> move(long queueOffset) {
    return next(() -> put(queueOffset));
  }

  private Future<Void> store(long queueOffset) {
    return next(() -> isKept(queueOffset) ? Future.succeededFuture() : put(queueOffset));
  }

  private Future<Void> storeForward(long queueOffset) {
    return next(
        () ->
            isKept(queueOffset)
                ? Future.succeededFuture()
                : offsets
                    .stored(group, queue)
                    .compose(stored -> stored.orElse(-1) < queueOffset ? put(queueOffset) : Future.succeededFuture()));
  }

  private Future<Void> put(long queueOffset) {
    return offsets.store(group, queue, queueOffset).onComplete(stored -> kept(stored.succeeded() ? queueOffset : -1));
  }

  private void kept(long queueOffset) {
    storedQueueOffset = queueOffset;
    storedOver = offsets.connection(queue);
  }

  private boolean isKept(long queueOffset) {
    return queueOffset == storedQueueOffset && storedOver == offsets.connection(queue);
  }

  /** One behind the other, whatever became of the one before. */
  private Future<Void> next(Supplier<Future<Void>> request) {
    last = last.transform(before -> request.get());
    return last;
  }
}
