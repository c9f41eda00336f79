package io.metaq.coordinator.api;

import io.metaq.bus.LocalBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;

/** What can be asked of OffsetCoordinatorVerticle: consumer progress. */
public final class OffsetsProxy {
  public static final String COMMIT = "metaq.offsets.commit";
  public static final String QUERY = "metaq.offsets.query";
  public static final String PROGRESS = "metaq.offsets.progress";
  public static final String GROUPS = "metaq.offsets.groups";
  public static final String FORGET_GROUP = "metaq.offsets.forget.group";
  public static final String FORGET_TOPIC = "metaq.offsets.forget.topic";
  public static final String RESET = "metaq.offsets.reset";
  public static final String SETTLED = "metaq.offsets.settled";
  public static final String FOLLOW = "metaq.offsets.follow";
  public static final String COMMIT_POPPED = "metaq.offsets.commit.popped";
  /** A list of {@link GroupPlace}: where others than whoever follows a group put it. */
  public static final String MOVED = "metaq.offsets.moved";
  /** {@link Forgotten} groups and topics. */
  public static final String FORGOTTEN = "metaq.offsets.forgotten";
  public static final String HELD = "metaq.offsets.held";
  public static final String HOLDS = "metaq.offsets.holds";
  public static final String HOLD_ENDED = "metaq.offsets.hold.ended";

  /** Answer to {@link #query} when nothing is stored. */
  public static final long NONE = -1;

  private final Vertx vertx;

  public OffsetsProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Asks for one queue's progress. */
  public record Query(String group, String topic, int queueId) {}

  /** The progress of a group, or every group's in a topic, was dropped; the other one is null. */
  public record Forgotten(String group, String topic) {}

  /** Where a group stands; from then on all that others commit for it is told at {@link #MOVED}. For PopVerticle alone. */
  public Future<List<GroupPlace>> follow(String group) {
    return request(FOLLOW, group);
  }

  /**
   * As {@link #commit}, and not told at {@link #MOVED}. What is from before the last move has no effect; what is from after one
   * that was not stored makes it known. For PopVerticle alone.
   */
  public void commitPopped(List<GroupPlace> places) {
    vertx.eventBus().send(COMMIT_POPPED, places, LocalBus.LOCAL);
  }

  /** Hands progress over; in order with other calls of the same thread, nobody waits for it. */
  public void commit(OffsetCommits commits) {
    vertx.eventBus().send(COMMIT, commits, LocalBus.LOCAL);
  }

  /** The next offset to consume, {@link #NONE} when none is stored. */
  public Future<Long> query(String group, String topic, int queueId) {
    return vertx.eventBus().<Long>request(QUERY, new Query(group, topic, queueId), LocalBus.LOCAL).map(message -> message.body());
  }

  /** Moves a group; completes when every loop was told and the new offsets are on disk. */
  public Future<Void> reset(OffsetReset reset) {
    return vertx.eventBus().request(RESET, reset, LocalBus.LOCAL).mapEmpty();
  }

  /** Tells that a reset needs nobody's attention any more; in order with other calls of the same thread, nobody waits for it. */
  public void settled(ResetSettled settled) {
    vertx.eventBus().send(SETTLED, settled, LocalBus.LOCAL);
  }

  /** Keeps progress in front of a message, in order with other calls of the same thread; completes when it is so after a kill, too. */
  public Future<Void> hold(ProgressHeld held) {
    return vertx.eventBus().request(HELD, held, LocalBus.LOCAL).mapEmpty();
  }

  /** All that is held at this moment. */
  public Future<List<ProgressHeld>> holds() {
    return vertx.eventBus().<List<ProgressHeld>>request(HOLDS, true, LocalBus.LOCAL).map(message -> message.body());
  }

  /** Lets progress get on again; in order with other calls of the same thread, nobody waits for it. */
  public void holdEnded(HoldEnded ended) {
    vertx.eventBus().send(HOLD_ENDED, ended, LocalBus.LOCAL);
  }

  /** All of a group's progress: the next offset to consume by topic and queue. */
  public Future<Map<String, Map<Integer, Long>>> progressOf(String group) {
    return request(PROGRESS, group);
  }

  /** The groups that have progress in a topic, sorted. */
  public Future<List<String>> groupsOf(String topic) {
    return request(GROUPS, topic);
  }

  /** Drops all of a group's progress. */
  public Future<Boolean> forgetGroup(String group) {
    return request(FORGET_GROUP, group);
  }

  /** Drops every group's progress in a topic. */
  public Future<Boolean> forgetTopic(String topic) {
    return request(FORGET_TOPIC, topic);
  }

  private <T> Future<T> request(String address, String about) {
    return vertx.eventBus().<T>request(address, about, LocalBus.LOCAL).map(message -> message.body());
  }
}
