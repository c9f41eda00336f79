package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.Optional;

/** Serves VIEW_BROKER_STATS_DATA (315): a statistic over the last minute, hour and day. */
final class StatisticsHandler extends CommandHandler {
  private final BrokerStatistics statistics;
  private final ColdReads reads;

  StatisticsHandler(BrokerStatistics statistics, ColdReads reads) {
    this.statistics = statistics;
    this.reads = reads;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    String name = request.requireText("statsName");
    String key = request.requireText("statsKey");
    Optional<Statistic> statistic = Statistic.of(name);
    if (statistic.isEmpty()) {
      return Future.succeededFuture(request.response(ResultCode.SYSTEM_ERROR, "there is no statistic '" + name + "' here"));
    }
    return reads.call(() -> statistics.of(statistic.get(), key)
        .map(found -> request.success().body(found.encode()))
        .orElseGet(() -> request.response(ResultCode.SYSTEM_ERROR, "nothing was counted for '" + key + "' under " + name)));
  }
}
