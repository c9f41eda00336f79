package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a member of a group reads equal to its share: asks who the members are, divides the queues of each topic, has those stopped
 * that are another's now, and those begun that came, when their former reader has let go of them ({@link Takeovers}).
 */
@OwnedBy("its client's context")
final class Rebalancing {
  private static final Logger log = LoggerFactory.getLogger(Rebalancing.class);

  private final ClientParts parts;
  private final Roster roster = new Roster();
  private final Shares shares;
  private final Takeovers takeovers;
  private final HeldQueues held;
  private final Rules rules;
  private final Set<String> undivided = new HashSet<>();
  private boolean running;
  private boolean again;
  private boolean balanced;

  Rebalancing(ClientParts parts, Heartbeats heartbeats, HeldQueues held, Rules rules) {
    this.parts = parts;
    this.shares = new Shares(parts, heartbeats, roster, rules.group());
    this.takeovers = new Takeovers(parts, rules.group(), rules.allocation());
    this.held = held;
    this.rules = rules;
  }

  /** What its member has to say. */
  interface Rules {
    String group();

    /** Whether everybody reads everything. */
    boolean broadcasting();

    Allocation allocation();

    /** Whether nobody wants anything any more. */
    boolean isOver();

    /** Completes when a topic may be read as its subscriber wants it. */
    Future<Void> checked(String topic, Route route);

    /** A reader of a queue that came. */
    HeldQueue reader(TopicShare<HeldQueue> share, TopicQueue queue);
  }

  /** Whether the last run missed nothing and nobody. */
  boolean isBalanced() {
    return balanced;
  }

  /** One at a time; a call during one makes it run once more. */
  void run() {
    if (rules.isOver()) {
      return;
    }
    if (running) {
      again = true;
      return;
    }
    running = true;
    List<Future<Boolean>> topics = held.topics().stream().map(this::rebalance).toList();
    Future.join(topics)
        .onComplete(
            done -> {
              running = false;
              balanced = done.succeeded() && topics.stream().allMatch(Future::result);
              if (again) {
                again = false;
                run();
              }
            });
  }

  /** Takes the share of one topic; false when something was missing. */
  private Future<Boolean> rebalance(String topic) {
    return parts.routes()
        .forReading(topic)
        .compose(found -> found.map(route -> rebalance(topic, route)).orElseGet(() -> Future.succeededFuture(false)))
        .recover(
            failure -> {
              log.debug("share not computed topic={} group={} cause={}", topic, rules.group(), failure.getMessage());
              return Future.succeededFuture(false);
            });
  }

  private Future<Boolean> rebalance(String topic, Route route) {
    return rules.checked(topic, route)
        .compose(passed -> shares.introduce(route))
        .compose(told -> rules.broadcasting() ? Future.succeededFuture(List.of(parts.clientId())) : shares.members(route))
        .map(members -> held.share(topic).filter(share -> take(share, route, members)).isPresent());
  }

  private boolean take(TopicShare<HeldQueue> share, Route route, List<String> members) {
    if (rules.isOver() || !members.contains(parts.clientId())) {
      return false;
    }
    share.seen(route.readable());
    Set<TopicQueue> wanted = new HashSet<>(rules.broadcasting() ? route.readable() : divided(route, members));
    TopicShare.Change<HeldQueue> change = share.changeTo(wanted);
    List<HeldQueue> lost = change.lost().stream().filter(queue -> !queue.isLeaving() && isServed(queue.queue(), route)).toList();
    lost.forEach(queue -> giveUp(share, queue));
    List<String> before = share.dividedAmong(members);
    takeovers.begin(route, before, members, change.gained().stream().map(queue -> add(share, queue)).toList());
    if (!lost.isEmpty() || !change.gained().isEmpty()) {
      log.info(
          "share of the group changed topic={} group={} members={} queues={}", route.topic(), rules.group(), members.size(), wanted.size());
    }
    return roster.complete();
  }

  private HeldQueue add(TopicShare<HeldQueue> share, TopicQueue queue) {
    HeldQueue fresh = rules.reader(share, queue);
    held.add(share, fresh);
    return fresh;
  }

  private void giveUp(TopicShare<HeldQueue> share, HeldQueue queue) {
    queue.leave(true).onComplete(left -> {
      share.remove(queue.queue());
      run();
    });
  }

  /** A queue whose broker is away has no other reader, and its progress nowhere to go: it is kept. */
  private static boolean isServed(TopicQueue queue, Route route) {
    return route.reading(queue.broker(), 0).isPresent();
  }

  /** An application's strategy may throw; that is told once, until it has an answer again. */
  private List<TopicQueue> divided(Route route, List<String> members) {
    try {
      List<TopicQueue> share = rules.allocation().share(route.readable(), members, parts.clientId());
      undivided.remove(route.topic());
      return share;
    } catch (RuntimeException broken) {
      if (undivided.add(route.topic())) {
        log.warn(
            "the strategy that divides the queues threw, the share stays as it is group={} topic={}", rules.group(), route.topic(), broken);
      }
      throw broken;
    }
  }
}
