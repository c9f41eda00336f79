package io.metaq.client;

import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.MessageIds;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.SysFlag;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups this client sends transactions in: ends them at their brokers, and answers brokers that ask for a verdict they have
 * not heard.
 */
@OwnedBy("its client's context")
final class Transactions {
  private static final Logger log = LoggerFactory.getLogger(Transactions.class);

  private final Home home;
  private final Links links;
  private final RouteCache routes;
  private final long timeoutMs;
  private final Map<String, TransactionChecker> checkers = new HashMap<>();

  Transactions(Home home, Links links, RouteCache routes, long timeoutMs) {
    this.home = home;
    this.links = links;
    this.routes = routes;
    this.timeoutMs = timeoutMs;
    links.serve(RequestCode.CHECK_TRANSACTION_STATE, this::asked);
  }

  /** From now on the group's questions go to this checker. */
  void register(String group, TransactionChecker checker) {
    checkers.put(group, checker);
  }

  Set<String> groups() {
    return checkers.keySet();
  }

  /** Tells the broker of a half message what becomes of it; gives whether the broker has said that it holds the verdict. */
  Future<Boolean> end(String group, SendReceipt half, Verdict verdict) {
    if (verdict == Verdict.UNKNOWN) {
      return Future.succeededFuture(false);
    }
    RemotingCommand request =
        verdict(group, verdict)
            .ext("topic", half.topic())
            .ext("tranStateTableOffset", half.queueOffset())
            .ext("commitLogOffset", MessageIds.parse(half.offsetMessageId()).map(MessageIds.Parsed::phyOffset).orElse(0L))
            .ext("msgId", half.messageId())
            .ext("transactionId", half.messageId());
    return routes
        .forSending(half.topic())
        .compose(route -> links.call(route.master(half.broker()).orElseThrow(() -> MetaqException.noMaster(half.broker())), request, timeoutMs))
        .compose(answer -> accepted(half.broker(), answer))
        .transform(
            told -> {
              if (told.failed()) {
                log.warn(
                    "verdict not confirmed, the broker will ask group={} message={} verdict={} cause={}",
                    group, half.messageId(), verdict, told.cause().getMessage());
              }
              return Future.succeededFuture(told.succeeded());
            });
  }

  private void asked(RemotingCommand question, Link link) {
    try {
      StoredMessage half = StoredMessage.decode(ByteBuffer.wrap(question.body()), 0);
      String group = half.property(PropertyNames.PGROUP);
      TransactionChecker checker = checkers.get(group);
      if (checker == null) {
        log.debug("no checker for a question group={} remote={}", group, link.address());
        return;
      }
      RemotingCommand answer =
          RemotingCommand.request(RequestCode.END_TRANSACTION)
              .ext("topic", question.text("topic").orElse(half.topic()))
              .ext("tranStateTableOffset", question.requireLong("tranStateTableOffset"))
              .ext("commitLogOffset", question.requireLong("commitLogOffset"))
              .ext("msgId", half.property(PropertyNames.UNIQ_KEY))
              .ext("transactionId", question.text("transactionId").orElse(half.property(PropertyNames.UNIQ_KEY)))
              .ext("fromTransactionCheck", true);
      unpacked(half).onSuccess(message -> check(checker, group, message, answer, link));
    } catch (HeaderException | IndexOutOfBoundsException unreadable) {
      log.warn("a broker asks about a transaction that cannot be read remote={} cause={}", link.address(), unreadable.toString());
    }
  }

  private void check(TransactionChecker checker, String group, Received half, RemotingCommand answer, Link link) {
    if (half.fault().isPresent()) {
      log.warn("no verdict on a message that cannot be read group={} message={} cause={}", group, half.messageId(), half.fault().get());
      return;
    }
    Uni.createFrom()
        .deferred(() -> checker.check(half.message()))
        .subscribe()
        .with(
            verdict -> home.run(() -> answer(group, verdict, answer, link)),
            failure ->
                log.warn("the checker failed, the broker will ask again group={} message={}", group, half.messageId(), failure));
  }

  private void answer(String group, Verdict verdict, RemotingCommand answer, Link link) {
    if (verdict == null || verdict == Verdict.UNKNOWN) {
      return;
    }
    answer.ext("producerGroup", group).ext("commitOrRollback", wire(verdict));
    link.call(answer, timeoutMs)
        .compose(told -> accepted(link.address().toString(), told))
        .onFailure(failure -> log.warn("verdict not taken group={} verdict={} cause={}", group, verdict, failure.getMessage()));
  }

  private Future<Received> unpacked(StoredMessage half) {
    return Bodies.compressed(half) ? home.blocking(() -> Received.unpacked(half)) : Future.succeededFuture(Received.plain(half));
  }

  private static RemotingCommand verdict(String group, Verdict verdict) {
    return RemotingCommand.request(RequestCode.END_TRANSACTION)
        .ext("producerGroup", group)
        .ext("commitOrRollback", wire(verdict))
        .ext("fromTransactionCheck", false);
  }

  private static int wire(Verdict verdict) {
    return switch (verdict) {
      case COMMIT -> SysFlag.TRANSACTION_COMMIT;
      case ROLLBACK -> SysFlag.TRANSACTION_ROLLBACK;
      case UNKNOWN -> SysFlag.TRANSACTION_NONE;
    };
  }

  private static Future<RemotingCommand> accepted(String broker, RemotingCommand answer) {
    return answer.code() == ResultCode.SUCCESS.wire()
        ? Future.succeededFuture(answer)
        : Future.failedFuture(MetaqException.refused(broker, answer.code(), answer.remark()));
  }
}
