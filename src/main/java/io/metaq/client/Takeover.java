package io.metaq.client;

import io.metaq.codec.admin.ConsumerRunning;
import io.metaq.codec.remoting.ClientBodies.QueueRef;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the former readers of queues have let go of them. Each other member is asked through a broker what it has
 * (GET_CONSUMER_RUNNING_INFO, which official clients answer too): one that gives a queue up names it until its progress is stored. A member
 * that cannot be asked gets half a second, as official clients give it, the others are asked on; and after 30 s, longer than any member takes
 * to learn of a change, a queue is read in any case. Of a large group only the {@link FormerReaders} are asked, and the others get the half
 * second.
 */
@OwnedBy("its client's context")
final class Takeover {
  private static final Logger log = LoggerFactory.getLogger(Takeover.class);
  private static final long FIRST_PAUSE_MS = 20;
  private static final long PAUSE_MS = 200;
  private static final long BLIND_PAUSE_NS = 500_000_000L;
  private static final long PATIENCE_NS = 30_000_000_000L;

  private final ClientParts parts;
  private final String group;
  private final List<String> asked;
  private final boolean all;
  private final List<Address> brokers;
  private final Map<QueueRef, Runnable> waiting = new HashMap<>();
  private final Set<String> silent = new HashSet<>();
  private final long startNs;

  /**
   * For queues of one topic.
   *
   * @param asked members that may have them still
   * @param all whether there are no other members but these
   * @param brokers know all of them; the next is asked when one cannot be reached
   */
  Takeover(ClientParts parts, String group, List<String> asked, boolean all, List<Address> brokers) {
    this.parts = parts;
    this.group = group;
    this.asked = asked;
    this.all = all;
    this.brokers = brokers;
    this.startNs = parts.home().clock().nanos();
  }

  /** Adds a queue; call before {@link #start}. */
  void add(TopicQueue queue, Runnable onFree) {
    waiting.put(QueueLease.ref(queue), onFree);
  }

  /** Begins to ask, if any queue waits. Each queue's turn comes as soon as nobody names it any more. */
  void start() {
    if (!waiting.isEmpty()) {
      parts.home().after(FIRST_PAUSE_MS, this::ask);
    }
  }

  private void ask() {
    Set<QueueRef> held = new HashSet<>();
    List<Future<Void>> answers =
        asked.stream().filter(member -> !silent.contains(member)).map(member -> askOne(member, held)).toList();
    (answers.isEmpty() ? Future.succeededFuture() : Future.join(answers)).onComplete(all -> answered(held));
  }

  private Future<Void> askOne(String member, Set<QueueRef> held) {
    RemotingCommand request =
        RemotingCommand.request(RequestCode.GET_CONSUMER_RUNNING_INFO)
            .ext("consumerGroup", group)
            .ext("clientId", member)
            .ext("jstackEnable", false);
    return call(request, brokers).map(answer -> {
      if (answer.code() != ResultCode.SUCCESS.wire()) {
        throw MetaqException.refused(member, answer.code(), answer.remark());
      }
      held.addAll(ConsumerRunning.decodeQueues(answer.body()));
      return (Void) null;
    }).onFailure(failure -> {
      silent.add(member);
      log.debug("member not asked group={} member={} cause={}", group, member, failure.getMessage());
    });
  }

  private Future<RemotingCommand> call(RemotingCommand request, List<Address> left) {
    Future<RemotingCommand> answer = parts.links().call(left.get(0), request, parts.timeoutMs());
    return left.size() == 1 ? answer : answer.recover(failure -> unreachable(failure)
        ? call(request, left.subList(1, left.size()))
        : Future.failedFuture(failure));
  }

  private static boolean unreachable(Throwable failure) {
    return failure instanceof MetaqException known && known.reason() == MetaqException.Reason.CONNECTION;
  }

  private void answered(Set<QueueRef> held) {
    long waitedNs = parts.home().clock().nanos() - startNs;
    boolean impatient = waitedNs >= PATIENCE_NS;
    if (impatient && waiting.keySet().stream().anyMatch(held::contains)) {
      log.warn("queues are read although another member has them still group={} queues={}", group, waiting.keySet());
    }
    if (all && silent.isEmpty() || waitedNs >= BLIND_PAUSE_NS) {
      List<QueueRef> free = waiting.keySet().stream().filter(queue -> impatient || !held.contains(queue)).toList();
      free.forEach(queue -> waiting.remove(queue).run());
    }
    if (!waiting.isEmpty()) {
      parts.home().after(PAUSE_MS, this::ask);
    }
  }
}
