package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.Verdict;
import io.metaq.coordinator.api.VerdictOutcome;
import io.metaq.model.ResultCode;
import io.metaq.model.SysFlag;
import io.metaq.net.Connection;
import io.vertx.core.Future;

/**
 * Serves END_TRANSACTION (37): what a producer says of its half message. That it does not know yet changes nothing. Official producers
 * send it one-way; one who asks for an answer is promised by it what the answer to a send promises.
 */
final class EndTransactionHandler extends CommandHandler {
  private final VerdictPipe verdicts;
  private final int waitingLoop;

  /**
   * @param waitingLoop this loop when answers wait for disk or slaves, else {@link Verdict#NOBODY}
   */
  EndTransactionHandler(VerdictPipe verdicts, int waitingLoop) {
    this.verdicts = verdicts;
    this.waitingLoop = waitingLoop;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    int state = request.requireInt("commitOrRollback");
    Verdict verdict =
        new Verdict(
            request.requireText("producerGroup"),
            request.requireLong("tranStateTableOffset"),
            request.requireLong("commitLogOffset"),
            state == SysFlag.TRANSACTION_COMMIT,
            request.booleanOr("fromTransactionCheck", false),
            request.text("msgId").orElse(""),
            request.oneway() ? Verdict.NOBODY : waitingLoop);
    return switch (state) {
      case SysFlag.TRANSACTION_NONE -> Future.succeededFuture(request.success());
      case SysFlag.TRANSACTION_COMMIT, SysFlag.TRANSACTION_ROLLBACK ->
          verdicts.end(connection, verdict).map(outcome -> response(request, outcome));
      default -> Future.succeededFuture(request.response(
          ResultCode.INVALID_PARAMETER, "commitOrRollback=" + state + " is none of 0 (unknown), 8 (commit), 12 (rollback)"));
    };
  }

  private static RemotingCommand response(RemotingCommand request, VerdictOutcome outcome) {
    return outcome.code() == ResultCode.SUCCESS ? request.success() : request.response(outcome.code(), outcome.remark());
  }
}
