package io.metaq.broker;

import io.metaq.bus.TimerProgress;
import io.metaq.bus.TimerProgress.Places;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.store.TimerCheckLayout;
import io.metaq.coordinator.api.TablesProxy;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.metaq.model.Clock;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;

/**
 * Serves what slaves and tools ask for as a whole: topics, groups, consumers' progress, progress of delayed delivery, request modes (21,
 * 201, 43, 45, 402), how far timers are (60), and for RocketMQ's slaves counts of timers by topic (61), of which there are none here.
 */
final class TablesHandler extends CommandHandler {
  /** For MetaQ's slaves: since when this broker has kept the table in memory. */
  static final String OWNED_SINCE = "metaqOwnedSince";

  private static final byte[] NO_TIMERS =
      "{\"dataVersion\":{\"counter\":0,\"stateVersion\":0,\"timestamp\":0},\"timingCount\":{}}".getBytes(StandardCharsets.US_ASCII);
  private final TablesProxy tables;
  private final TimerProgress timers;
  private final Clock clock;

  TablesHandler(TablesProxy tables, TimerProgress timers, Clock clock) {
    this.tables = tables;
    this.timers = timers;
    this.clock = clock;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    RequestCode code = RequestCode.of(request.code()).orElseThrow();
    return switch (code) {
      case GET_ALL_TOPIC_CONFIG -> table(request, Table.TOPICS);
      case GET_ALL_SUBSCRIPTIONGROUP_CONFIG -> table(request, Table.GROUPS);
      case GET_ALL_CONSUMER_OFFSET -> table(request, Table.OFFSETS);
      case GET_ALL_DELAY_OFFSET -> table(request, Table.DELAYS);
      case GET_TIMER_CHECK_POINT -> Future.succeededFuture(request.success().body(checkPoint()));
      case GET_TIMER_METRICS -> Future.succeededFuture(request.success().body(NO_TIMERS));
      case GET_ALL_MESSAGE_REQUEST_MODE -> table(request, Table.REQUEST_MODES);
      default -> Future.succeededFuture(request.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, "not a table: " + code));
    };
  }

  private Future<RemotingCommand> table(RemotingCommand request, Table table) {
    return tables.body(table).map(body -> request.success().ext(OWNED_SINCE, body.ownedSinceMs()).body(body.json()));
  }

  /** While there never was a timer, every one up to now has been delivered. */
  private byte[] checkPoint() {
    Places places = timers.places();
    long readTimeMs = places.readTimeMs() == 0 ? clock.millis() : places.readTimeMs();
    return TimerCheckLayout.sent(readTimeMs, places.logPos(), places.queueOffset());
  }
}
