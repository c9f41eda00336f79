package io.metaq.coordinator;

import io.metaq.codec.remoting.MessageIds;
import io.metaq.coordinator.api.Verdict;
import io.metaq.coordinator.api.VerdictOutcome;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.metaq.model.SharedBytes;
import io.metaq.store.StoreException;
import java.util.ArrayDeque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries verdicts out in the order they came. A commit first stores the message for its consumers; only then has the transaction
 * ended and is noted so. A verdict on a transaction that has ended is refused, whichever copy of the half message it names.
 */
@OwnedBy("TransactionVerticle")
final class VerdictDesk {
  private static final Logger log = LoggerFactory.getLogger(VerdictDesk.class);

  private final TransactionLog store;
  private final TransactionTable table;
  private final HalfMessage half;
  private final CommittedCopies committed;
  private final TransactionRules rules;
  private final MessageIds ids;
  private final Clock clock;
  private final RepeatedWarning refused;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  /** One verdict of a request. */
  private record Waiting(VerdictRequest request, int index) {
    Verdict verdict() {
      return request.verdict(index);
    }

    void settled(VerdictOutcome outcome) {
      request.settled(index, outcome);
    }
  }

  VerdictDesk(TransactionParts parts) {
    store = parts.store();
    table = parts.table();
    half = parts.half();
    committed = parts.committed();
    rules = parts.rules();
    ids = parts.ids();
    clock = parts.clock();
    refused = parts.warning();
  }

  void add(VerdictRequest request) {
    for (int i = 0; i < request.count(); i++) {
      waiting.add(new Waiting(request, i));
    }
  }

  /** Puts what verdicts store into the round; stops when it is full, or at a verdict that has to wait for what is in it. */
  void fill(AppendRound round) {
    boolean room = true;
    while (room && !waiting.isEmpty()) {
      room = take(round, waiting.peek());
      if (room) {
        waiting.poll();
      }
    }
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  private boolean take(AppendRound round, Waiting one) {
    Optional<? extends SharedBytes> record;
    try {
      record = store.record(one.verdict().halfPhyOffset());
    } catch (StoreException failure) {
      refuse(one, ResultCode.SYSTEM_ERROR, failure.getMessage());
      return true;
    }
    if (record.isEmpty()) {
      refuse(one, ResultCode.SYSTEM_ERROR, "there is no half message at position " + one.verdict().halfPhyOffset() + " of the commit log");
      return true;
    }
    try {
      half.read(record.get().bytes());
      return take(round, one, one.verdict());
    } finally {
      record.get().release();
    }
  }

  /** As {@link #take(AppendRound, Waiting)}, of the half message that was read. */
  private boolean take(AppendRound round, Waiting one, Verdict verdict) {
    String mismatch = mismatch(verdict);
    if (!mismatch.isEmpty()) {
      refuse(one, ResultCode.SYSTEM_ERROR, mismatch);
      return true;
    }
    if (round.holds(half.root())) {
      return false;
    }
    if (hasEnded()) {
      refuse(one, ResultCode.ILLEGAL_OPERATION, "the transaction of message " + half.uniqueKey() + " has ended");
      return true;
    }
    if (tooLate(verdict)) {
      refuse(one, ResultCode.ILLEGAL_OPERATION,
          "the verdict came after the time the message set in CHECK_IMMUNITY_TIME_IN_SECONDS; the broker will ask for it");
      return true;
    }
    return verdict.commit() ? commit(round, one) : rollback(one);
  }

  private String mismatch(Verdict verdict) {
    if (!half.isHalf()) {
      return "the message at position " + verdict.halfPhyOffset() + " of the commit log is no half message";
    }
    if (!half.group().equals(verdict.group())) {
      return "the half message is not one of producer group " + verdict.group();
    }
    if (half.queueOffset() != verdict.halfQueueOffset()) {
      return "the half message has the queue offset " + half.queueOffset() + ", not " + verdict.halfQueueOffset();
    }
    String id = verdict.messageId();
    return id.isEmpty() || id.equals(half.uniqueKey()) || id.equals(ids.text(half.phyOffset()))
        ? ""
        : "the half message has the id " + half.uniqueKey() + ", not " + id;
  }

  private boolean hasEnded() {
    if (!table.isPending(half.root(), half.queueOffset())) {
      return true;
    }
    boolean before = table.isRecovered(half.root()) && half.fault().isEmpty() && committed.has(half);
    if (before) {
      table.ended(half.root());
    }
    return before;
  }

  private boolean tooLate(Verdict verdict) {
    return !verdict.answersCheck() && half.hasOwnImmunity()
        && clock.millis() - half.bornTimestamp() > half.immunityMs(rules.immunityMs());
  }

  private boolean rollback(Waiting one) {
    table.ended(half.root());
    one.settled(VerdictOutcome.DROPPED);
    return true;
  }

  private boolean commit(AppendRound round, Waiting one) {
    String fault = half.fault();
    if (!fault.isEmpty()) {
      refuse(one, ResultCode.SYSTEM_ERROR, "the half message cannot be delivered: " + fault);
      return true;
    }
    long root = half.root();
    half.asCommitted(clock.millis());
    int size = half.size();
    boolean added = round.add(half, (status, detail, phyOffset, queueOffset) -> {
      if (status == AppendStatus.STORED) {
        table.ended(root);
        one.settled(VerdictOutcome.stored(phyOffset + size));
      } else {
        refuse(one, codeOf(status), detail);
      }
    });
    if (added && one.verdict().waits()) {
      round.batch().waiting(one.verdict().waitingLoop());
    }
    return added;
  }

  /** One-way requests are not answered, so the line is all that is to be seen of it. */
  private void refuse(Waiting one, ResultCode code, String reason) {
    if (refused.due()) {
      Verdict verdict = one.verdict();
      log.warn("a verdict was refused group={} messageId={} halfQueueOffset={} halfPhyOffset={} commit={} code={} reason={} suppressed={}",
          verdict.group(), verdict.messageId(), verdict.halfQueueOffset(), verdict.halfPhyOffset(), verdict.commit(), code.wire(), reason,
          refused.takeSuppressed());
    }
    one.settled(VerdictOutcome.refused(code, reason));
  }

  private static ResultCode codeOf(AppendStatus status) {
    return switch (status) {
      case STORED -> ResultCode.SUCCESS;
      case ILLEGAL -> ResultCode.MESSAGE_ILLEGAL;
      case UNAVAILABLE -> ResultCode.SERVICE_NOT_AVAILABLE;
      case FAILED -> ResultCode.SYSTEM_ERROR;
    };
  }
}
