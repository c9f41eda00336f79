package io.metaq.coordinator.api;

import io.metaq.bus.LocalBus;
import io.metaq.model.GroupConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What can be asked of GroupCoordinatorVerticle: membership, group settings, queue locks. Every call crosses a thread and completes on
 * the caller's context, after every loop was told what changed ({@link GroupsDelta}).
 */
public final class GroupsProxy {
  public static final String HEARTBEAT = "metaq.groups.heartbeat";
  public static final String UNREGISTER = "metaq.groups.unregister";
  public static final String CLOSED = "metaq.groups.closed";
  public static final String ENSURE = "metaq.groups.ensure";
  public static final String LOCK = "metaq.groups.lock";
  public static final String UNLOCK = "metaq.groups.unlock";
  public static final String HAS_LOCK = "metaq.groups.haslock";
  public static final String SNAPSHOT = "metaq.groups.snapshot";
  public static final String UPDATE = "metaq.groups.update";
  public static final String DELETE = "metaq.groups.delete";
  public static final String MEMBERS = "metaq.groups.members";
  public static final String PRODUCERS = "metaq.groups.connected-producers";
  public static final String PRODUCER = "metaq.groups.connected-producer";
  public static final String FORBID = "metaq.groups.forbid";

  private final Vertx vertx;

  public GroupsProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** A client leaves one group; {@code producerGroup} or {@code consumerGroup} may be null. */
  public record Unregister(int loop, long connectionId, String clientId, String producerGroup, String consumerGroup) {}

  /** A connection ended: all its registrations end with it. */
  public record Closed(int loop, long connectionId) {}

  /** A queue that orderly consumers lock. */
  public record LockedQueue(String topic, String brokerName, int queueId) {}

  /** Wants (or gives back) the locks of these queues for one client. */
  public record Lock(String group, String clientId, List<LockedQueue> queues) {
    public Lock {
      queues = List.copyOf(queues);
    }
  }

  /** Registers a client's groups and subscriptions. */
  public Future<HeartbeatAnswer> heartbeat(Heartbeat heartbeat) {
    return request(HEARTBEAT, heartbeat);
  }

  /** Ends one registration; completes when the others have been told. */
  public Future<Void> unregister(Unregister unregister) {
    return this.<Object>request(UNREGISTER, unregister).mapEmpty();
  }

  /** Tells that a connection is gone; nobody waits for it. */
  public void closed(int loop, long connectionId) {
    vertx.eventBus().send(CLOSED, new Closed(loop, connectionId), LocalBus.LOCAL);
  }

  /** Settings of a group, made with defaults where automatic creation allows; empty when it does not. */
  public Future<Optional<GroupConfig>> ensure(String group) {
    return request(ENSURE, group);
  }

  /** Locks what can be locked; the answer is the subset the client now holds. */
  public Future<List<LockedQueue>> lock(Lock wish) {
    return request(LOCK, wish);
  }

  /** Gives locks back; those of others stay. */
  public Future<Void> unlock(Lock given) {
    return this.<Object>request(UNLOCK, given).mapEmpty();
  }

  /** Whether any queue of the group is locked right now by a lease that has not run out. */
  public Future<Boolean> hasLock(String group) {
    return request(HAS_LOCK, group);
  }

  /**
   * Makes a group or changes it.
   *
   * @return why not, as a sentence; empty when it is as wished now
   */
  public Future<Optional<String>> update(GroupConfig group) {
    return request(UPDATE, group);
  }

  /** Takes a group's settings out of the table; whether they were there. Members that are connected make it anew. */
  public Future<Boolean> delete(String group) {
    return request(DELETE, group);
  }

  /** Who consumes in a group now, empty when nobody does. */
  public Future<Optional<GroupMembers>> members(String group) {
    return request(MEMBERS, group);
  }

  /** The connected producers by group, sorted. */
  public Future<Map<String, List<ClientInfo>>> producers() {
    return request(PRODUCERS, "all");
  }

  /** The connected producer of this client id, empty when there is none. */
  public Future<Optional<ClientInfo>> producer(String clientId) {
    return request(PRODUCER, clientId);
  }

  /** Whether a group may read a topic, set when {@code readable} is there. */
  public record Forbid(String group, String topic, Optional<Boolean> readable) {}

  /** Forbids or permits a group to read a topic, or asks; whether it may read it now. */
  public Future<Boolean> forbid(Forbid wish) {
    return request(FORBID, wish);
  }

  /** The whole table. */
  public Future<GroupsDelta> snapshot() {
    return request(SNAPSHOT, "all");
  }

  private <T> Future<T> request(String address, Object body) {
    return vertx.eventBus().<T>request(address, body, LocalBus.LOCAL).map(message -> message.body());
  }
}
