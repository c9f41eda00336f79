package io.metaq.client;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.function.Function;

/**
 * This client's membership in one group: what it reads, and the reins. It concerns the queues this client has, not those of other members;
 * to move a whole group there is {@link MetaqAdmin}. All Unis are lazy and fail with {@code INVALID} while the client has no subscriber in
 * the group.
 *
 * <pre>{@code
 * Membership billing = client.membership("billing");
 * billing.pause().chain(() -> repair()).chain(billing::resume).subscribe().with(done -> {});
 * billing.seek("orders", Position.at(Instant.now().minus(Duration.ofHours(1)))).subscribe().with(done -> {});
 * }</pre>
 */
public final class Membership {
  private final Home home;
  private final String group;
  private final Function<String, Future<GroupMember>> members;

  Membership(Home home, String group, Function<String, Future<GroupMember>> members) {
    this.home = home;
    this.group = group;
    this.members = members;
  }

  /** What this client reads, and where it stands. */
  public Uni<MemberStatus> status() {
    return home.uni(() -> members.apply(group).map(GroupMember::status));
  }

  /**
   * Delivers nothing more, of any queue it has or gets, until {@link #resume()}. The client stays a member and keeps its queues; what
   * the subscriber has in hand can be settled.
   */
  public Uni<Void> pause() {
    return home.uni(() -> held().compose(held -> held.pauseAll(true)));
  }

  /** Delivers again, also from queues that were paused one by one. */
  public Uni<Void> resume() {
    return home.uni(() -> held().compose(held -> held.pauseAll(false)));
  }

  /** Delivers nothing more of one queue while this client has it. Fails with {@code QUEUE_LOST} when it does not have it. */
  public Uni<Void> pause(TopicQueue queue) {
    return home.uni(() -> held().compose(held -> held.pause(queue, true)));
  }

  /** Delivers again from one queue. Fails with {@code QUEUE_LOST} when this client does not have it. */
  public Uni<Void> resume(TopicQueue queue) {
    return home.uni(() -> held().compose(held -> held.pause(queue, false)));
  }

  /**
   * Goes on at an offset of a queue. Completes when the group's progress is stored there. Deliveries of the queue that are not settled by
   * then fail with {@code QUEUE_LOST} when they are. Fails with {@code QUEUE_LOST} when this client does not have the queue.
   *
   * @param queueOffset the next message to deliver; one that is outside of the queue is moved to its nearer end
   */
  public Uni<Void> seek(TopicQueue queue, long queueOffset) {
    return home.uni(() -> held().compose(held -> held.seek(queue, queueOffset)));
  }

  /** As {@link #seek(TopicQueue, long)}, at a position. */
  public Uni<Void> seek(TopicQueue queue, Position position) {
    return home.uni(() -> held().compose(held -> held.seek(queue, Objects.requireNonNull(position, "no position"))));
  }

  /** As {@link #seek(TopicQueue, Position)}, in each queue of a topic that this client has. */
  public Uni<Void> seek(String topic, Position position) {
    return home.uni(() -> held().compose(held -> held.seek(topic, Objects.requireNonNull(position, "no position"))));
  }

  private Future<HeldQueues> held() {
    return members.apply(group).map(GroupMember::held);
  }
}
