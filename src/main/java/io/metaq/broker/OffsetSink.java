package io.metaq.broker;

import io.metaq.coordinator.api.HoldEnded;
import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.ProgressHeld;
import io.metaq.model.OwnedBy;
import io.vertx.core.Context;
import io.vertx.core.Future;

/** Consumer offsets on their way to the coordinator: all of a loop round leave in one message, ahead of any query made later. */
@OwnedBy("its event loop")
final class OffsetSink {
  private final Context context;
  private final OffsetsProxy coordinator;
  private OffsetCommits commits;

  OffsetSink(Context context, OffsetsProxy coordinator) {
    this.context = context;
    this.coordinator = coordinator;
  }

  void commit(String group, String topic, int queueId, long queueOffset) {
    if (commits == null) {
      commits = new OffsetCommits();
      context.runOnContext(tick -> send());
    }
    commits.add(group, topic, queueId, queueOffset);
  }

  /** The stored offset, {@link OffsetsProxy#NONE} when there is none; sees every commit made before on this loop. */
  Future<Long> query(String group, String topic, int queueId) {
    send();
    return coordinator.query(group, topic, queueId);
  }

  /** Behind every commit made before on this loop; completes when it is so after a kill, too. */
  Future<Void> hold(ProgressHeld held) {
    send();
    return coordinator.hold(held);
  }

  /** Behind every commit made before on this loop. */
  void holdEnded(HoldEnded ended) {
    send();
    coordinator.holdEnded(ended);
  }

  private void send() {
    if (commits != null) {
      OffsetCommits collected = commits;
      commits = null;
      coordinator.commit(collected);
    }
  }
}
