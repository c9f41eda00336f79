package io.metaq.broker;

import io.metaq.bus.ReplicaProgress;
import io.metaq.bus.TimerProgress;
import io.metaq.bus.TimerProgress.Places;
import io.metaq.codec.admin.DelayOffsets;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.ClientInfo;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.TableBody;
import io.metaq.coordinator.api.TablesProxy;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.metaq.model.Clock;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.metaq.store.DiskSpace;
import io.metaq.store.RecordSlice;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Serves GET_BROKER_RUNTIME_INFO (28): a table of what is known about this broker at the moment. The keys are RocketMQ's, as far as
 * there is a number here that they name; thread pools have none, for their queues do not exist.
 */
final class RuntimeInfoHandler extends CommandHandler {
  /** While nobody delivers delayed messages here. */
  private static final byte[] NO_DELAYS = {'{', '}'};
  private static final long LAST_MINUTE_MS = 60_000;
  private static final long[] WINDOWS_MS = {10_000, LAST_MINUTE_MS, 600_000};

  private final AdminOptions admin;
  private final LoopGroups groups;
  private final GroupsProxy members;
  private final BrokerFigures figures;
  private final StoreView store;
  private final DiskSpace disk;
  private final ReplicaProgress replicas;
  private final TimerProgress timers;
  private final TablesProxy tables;
  private final ColdReads reads;
  private final Clock clock;

  RuntimeInfoHandler(AdminOptions admin, LoopGroups groups, GroupsProxy members, BrokerFigures figures, StoreView store, DiskSpace disk,
      ReplicaProgress replicas, TimerProgress timers, TablesProxy tables, ColdReads reads, Clock clock) {
    this.admin = admin;
    this.groups = groups;
    this.members = members;
    this.figures = figures;
    this.store = store;
    this.disk = disk;
    this.replicas = replicas;
    this.timers = timers;
    this.tables = tables;
    this.reads = reads;
    this.clock = clock;
  }

  /** On a worker, for the age of the first message may have to come from the disk. */
  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    long consumers = groups.all().stream().flatMap(group -> group.memberIds().stream()).distinct().count();
    return delays().compose(delays -> members.producers().compose(producers -> reads.call(() -> {
      Map<String, String> table = table(delays);
      ofMetaq(table);
      table.put("metaqConsumers", Long.toString(consumers));
      table.put("metaqProducers", Long.toString(
          producers.values().stream().flatMap(List::stream).map(ClientInfo::clientId).distinct().count()));
      return request.success().body(KvTableCodec.encode(table));
    })));
  }

  private Future<byte[]> delays() {
    return tables.body(Table.DELAYS).map(TableBody::json).recover(nobody -> Future.succeededFuture(NO_DELAYS));
  }

  /** What no tool of RocketMQ knows. */
  private void ofMetaq(Map<String, String> table) {
    table.put("metaqPutBytesTps", rates(Figure.BYTES_STORED));
    table.put("metaqGetBytesTps", rates(Figure.BYTES_READ));
    table.put("metaqPacedPulls", Long.toString(figures.total(Figure.PULLS_PACED)));
    PutTimes lastMinute = figures.putTimes(LAST_MINUTE_MS);
    if (lastMinute.total() > 0) {
      table.put("metaqPutLatency", String.join(" ", millis(lastMinute.percentileMicros(0.5)), millis(lastMinute.percentileMicros(0.99)),
          millis(lastMinute.percentileMicros(0.999)), millis(lastMinute.percentileMicros(1))));
    } else {
      table.put("metaqPutLatency", "- - - -");
    }
    Runtime runtime = Runtime.getRuntime();
    table.put("metaqHeapUsedBytes", Long.toString(runtime.totalMemory() - runtime.freeMemory()));
    table.put("metaqHeapMaxBytes", Long.toString(runtime.maxMemory()));
    table.put("metaqDiskFreeBytes", Long.toString(disk.usableBytes()));
    table.put("metaqDiskTotalBytes", Long.toString(disk.totalBytes()));
  }

  private Map<String, String> table(byte[] delays) throws IOException {
    Map<String, String> table = new LinkedHashMap<>();
    table.put("brokerVersionDesc", admin.version());
    table.put("brokerActive", "true");
    table.put("bootTimestamp", Long.toString(figures.startedAtMs()));
    table.put("runtime", duration(clock.millis() - figures.startedAtMs()));
    puts(table);
    gets(table);
    store(table);
    timers(table);
    delays(delays, table);
    // Of groups that need somebody to look at them; no tool of RocketMQ knows these two.
    table.put("metaqContradictingGroups", Integer.toString(figures.health().contradicting()));
    table.put("metaqStandingQueues", Integer.toString(figures.health().standingQueues()));
    // What a slave of ours may ask of this broker's HA port beyond the protocol of Apache RocketMQ.
    table.put("metaqReplication", "1");
    List<String> states = replicas.states();
    for (int i = 0; i < states.size(); i++) {
      table.put("replication." + i, states.get(i));
    }
    return table;
  }

  private void puts(Map<String, String> table) {
    long stored = figures.total(Figure.MESSAGES_STORED);
    long bytes = figures.total(Figure.BYTES_STORED);
    table.put("putTps", rates(Figure.MESSAGES_STORED));
    DayTotals days = figures.days();
    table.put("msgPutTotalYesterdayMorning", Long.toString(days.yesterdayMorning().stored()));
    table.put("msgPutTotalTodayMorning", Long.toString(days.thisMorning().stored()));
    table.put("msgPutTotalTodayNow", Long.toString(days.now().stored()));
    table.put("putMessageTimesTotal", Long.toString(stored));
    table.put("putMessageFailedTimes", Long.toString(figures.total(Figure.MESSAGES_REFUSED)));
    table.put("putMessageSizeTotal", Long.toString(bytes));
    table.put("putMessageAverageSize", stored == 0 ? "0.0" : Double.toString((double) bytes / stored));
    PutTimes times = figures.putTimes();
    table.put("putMessageDistributeTime", times.words());
    table.put("putMessageEntireTimeMax", millis(times.percentileMicros(1)));
    table.put("putLatency99", millis(times.percentileMicros(0.99)));
    table.put("putLatency999", millis(times.percentileMicros(0.999)));
    long waiting = figures.total(Figure.PUTS_TAKEN) - figures.total(Figure.PUTS_RETURNED);
    table.put("sendThreadPoolQueueSize", Long.toString(Math.max(0, waiting)));
    table.put("sendThreadPoolQueueHeadWaitTimeMills", "0");
    table.put("pageCacheLockTimeMills", "0");
    table.put("startAcceptSendRequestTimeStamp", "0"); // there is no such time: sends are taken from the start on
  }

  private void gets(Map<String, String> table) {
    table.put("getFoundTps", rates(Figure.PULLS_FOUND));
    table.put("getMissTps", rates(Figure.PULLS_EMPTY));
    table.put("getTotalTps", rates(Figure.PULLS_FOUND, Figure.PULLS_EMPTY));
    table.put("getTransferredTps", rates(Figure.MESSAGES_READ));
    DayTotals days = figures.days();
    table.put("msgGetTotalYesterdayMorning", Long.toString(days.yesterdayMorning().read()));
    table.put("msgGetTotalTodayMorning", Long.toString(days.thisMorning().read()));
    table.put("msgGetTotalTodayNow", Long.toString(days.now().read()));
    table.put("getMessageEntireTimeMax", Long.toString(TimeUnit.NANOSECONDS.toMillis(figures.longestReadNs())));
    table.put("pullThreadPoolQueueSize", "0");
    table.put("pullThreadPoolQueueHeadWaitTimeMills", "0");
    table.put("ackThreadPoolQueueSize", "0");
    table.put("ackThreadPoolQueueHeadWaitTimeMills", "0");
    table.put("queryThreadPoolQueueHeadWaitTimeMills", "0");
  }

  private void store(Map<String, String> table) {
    table.put("commitLogMinOffset", Long.toString(store.firstOffset()));
    long appended = store.appendedOffset();
    table.put("commitLogMaxOffset", Long.toString(appended));
    table.put("dispatchBehindBytes", Long.toString(Math.max(0, store.readableOffset() - store.dispatchedOffset())));
    table.put("dispatchMaxBuffer", "0");
    table.put("remainHowManyDataToFlush", Math.max(0, appended - store.flushedOffset()) + " B");
    firstStoredMs().ifPresent(ms -> table.put("earliestMessageTimeStamp", Long.toString(ms)));
    String ratio = Double.toString(disk.usedPercent() / 100);
    table.put("commitLogDiskRatio", ratio);
    table.put("consumeQueueDiskRatio", ratio);
    table.put("commitLogDirCapacity",
        "Total : " + gibibytes(disk.totalBytes()) + ", Free : " + gibibytes(disk.usableBytes()) + ".");
  }

  /** Nothing here is behind by more than what is due at this moment, so what is less than a second is none. */
  private void timers(Map<String, String> table) {
    Places places = timers.places();
    long behindMs = places.readTimeMs() == 0 ? 0 : clock.millis() - places.readTimeMs();
    table.put("timerReadBehind", Long.toString(Math.max(0, behindMs / 1_000)));
    table.put("timerOffsetBehind", Long.toString(Math.max(0, store.maxOffset(Topics.TIMER, 0) - places.queueOffset())));
    table.put("timerCongestNum", Long.toString(timers.waiting()));
    table.put("timerEnqueueTps", Double.toString(timers.takenPerSecond()));
    table.put("timerDequeueTps", Double.toString(timers.deliveredPerSecond()));
  }

  /** Of each delay level that ever had a message: what has been delivered, and what has been stored. */
  private void delays(byte[] delays, Map<String, String> table) throws IOException {
    DelayOffsets.read(delays).forEach((level, next) ->
        table.put("scheduleMessageOffset_" + level, next + "," + store.maxOffset(Topics.SCHEDULE, level - 1)));
  }

  private Optional<Long> firstStoredMs() {
    Optional<RecordSlice> first = store.recordAt(store.firstOffset());
    return first.map(record -> {
      try {
        ByteBuffer bytes = record.bytes();
        return bytes.getLong(RecordLayout.storeTimestamp(bytes.getInt(RecordLayout.SYS_FLAG)));
      } finally {
        record.release();
      }
    });
  }

  /** Over 10 s, a minute and ten minutes. */
  private String rates(Figure... summed) {
    StringBuilder rates = new StringBuilder();
    for (long windowMs : WINDOWS_MS) {
      double rate = 0;
      for (Figure figure : summed) {
        rate += figures.perSecond(figure, windowMs);
      }
      rates.append(rates.isEmpty() ? "" : " ").append(rate);
    }
    return rates.toString();
  }

  private static String millis(long micros) {
    return String.format(Locale.ROOT, "%.3f", micros / 1_000.0);
  }

  private static String gibibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30));
  }

  private static String duration(long ms) {
    long seconds = ms / 1_000;
    return String.format(Locale.ROOT, "[ %d days, %d hours, %d minutes, %d seconds ]",
        seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
  }
}
