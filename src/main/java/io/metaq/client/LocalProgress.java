package io.metaq.client;

import io.vertx.core.Future;
import java.util.OptionalLong;

/** {@link Progress} in the file of a broadcasting group, which is written once a second and at the end. */
record LocalProgress(LocalOffsets offsets, TopicQueue queue) implements Progress {
  @Override
  public Future<OptionalLong> load() {
    return offsets.open().map(open -> offsets.of(queue));
  }

  @Override
  public void note(long queueOffset) {
    if (queueOffset >= 0) {
      offsets.put(queue, queueOffset);
    }
  }

  @Override
  public Future<Void> finish(long queueOffset, boolean late) {
    note(queueOffset);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> move(long queueOffset) {
    offsets.put(queue, queueOffset);
    return offsets.flush();
  }
}
