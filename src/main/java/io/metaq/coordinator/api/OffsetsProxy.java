package io.metaq.coordinator.api;

import io.metaq.bus.LocalBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** What can be asked of OffsetCoordinatorVerticle: consumer progress. */
public final class OffsetsProxy {
  public static final String COMMIT = "metaq.offsets.commit";
  public static final String QUERY = "metaq.offsets.query";

  /** Answer to {@link #query} when nothing is stored. */
  public static final long NONE = -1;

  private final Vertx vertx;

  public OffsetsProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Asks for one queue's progress. */
  public record Query(String group, String topic, int queueId) {}

  /** Hands progress over; in order with other calls of the same thread, nobody waits for it. */
  public void commit(OffsetCommits commits) {
    vertx.eventBus().send(COMMIT, commits, LocalBus.LOCAL);
  }

  /** The next offset to consume, {@link #NONE} when none is stored. */
  public Future<Long> query(String group, String topic, int queueId) {
    return vertx.eventBus().<Long>request(QUERY, new Query(group, topic, queueId), LocalBus.LOCAL).map(message -> message.body());
  }
}
