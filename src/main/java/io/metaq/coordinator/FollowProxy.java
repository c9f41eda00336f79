package io.metaq.coordinator;

import io.metaq.bus.LocalBus;
import io.metaq.coordinator.api.OffsetCommits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;

/** How a slave's coordinators are given the master's tables. Completes on the caller's context when the loops were told. */
final class FollowProxy {
  static final String TOPICS = "metaq.follow.topics";
  static final String BEGUN_TOPICS = "metaq.follow.topics.begun";
  static final String GROUPS = "metaq.follow.groups";
  static final String OFFSETS = "metaq.follow.offsets";
  static final String PROGRESS = "metaq.follow.offsets.reached";
  static final String OFFSETS_TAKEN = "metaq.follow.offsets.taken";
  static final String REQUEST_MODES = "metaq.follow.modes";

  private final Vertx vertx;

  FollowProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** The master's progress table, and since when the master has kept it; 0 when it does not say. */
  record MasterOffsets(OffsetsFile file, long ownedSinceMs) {}

  /** Replaces the topics; whether they were different. */
  Future<Boolean> topics(TopicsFile master) {
    return request(TOPICS, master);
  }

  /**
   * Adds topics that the log has messages of and no table came in time to tell of.
   *
   * @param queues by topic, how many it has at least
   */
  void begunTopics(Map<String, Integer> queues) {
    vertx.eventBus().send(BEGUN_TOPICS, queues, LocalBus.LOCAL);
  }

  /** Replaces the consumer groups; whether they were different. */
  Future<Boolean> groups(GroupsFile master) {
    return request(GROUPS, master);
  }

  /** Replaces the request modes; whether they were different. */
  Future<Boolean> requestModes(RequestModesFile master) {
    return request(REQUEST_MODES, master);
  }

  /** Judges what was committed here by the master's progress, which is not taken yet; what the master should be told. */
  Future<OffsetCommits> offsets(MasterOffsets master) {
    return request(OFFSETS, master);
  }

  /** Merges the master's progress: the log has what it rests on. */
  void progress(OffsetsFile master) {
    vertx.eventBus().send(PROGRESS, master, LocalBus.LOCAL);
  }

  /** The master took these over; nobody waits for it. */
  void offsetsTaken(OffsetCommits commits) {
    vertx.eventBus().send(OFFSETS_TAKEN, commits, LocalBus.LOCAL);
  }

  private <T> Future<T> request(String address, Object body) {
    return vertx.eventBus().<T>request(address, body, LocalBus.LOCAL).map(message -> message.body());
  }
}
