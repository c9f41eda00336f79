package io.metaq.client;

import io.metaq.codec.admin.HaStatusBody;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the table of texts in which a broker describes itself. */
final class StatusFigures {
  private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([KMGTPE]?)(i?)B");
  private static final Pattern CAPACITY = Pattern.compile("Total : (.+), Free : (.+?)\\.?");
  private static final String UNITS = "KMGTPE";
  private static final int LATENCIES = 4;

  private final BrokerInfo broker;

  private StatusFigures(BrokerInfo broker) {
    this.broker = broker;
  }

  /**
   * @param producers that a broker knows which does not tell their number itself
   * @param masterEnd end of the master's log, for the lag of a slave
   */
  static BrokerStatus of(BrokerInfo broker, Optional<HaStatusBody> replication, OptionalLong producers, OptionalLong masterEnd) {
    return new StatusFigures(broker).status(replication, producers, masterEnd);
  }

  /** End of a broker's log. */
  static OptionalLong logEnd(BrokerInfo broker) {
    return new StatusFigures(broker).whole("commitLogMaxOffset");
  }

  private BrokerStatus status(Optional<HaStatusBody> replication, OptionalLong producers, OptionalLong masterEnd) {
    return new BrokerStatus(
        broker,
        whole("bootTimestamp"),
        new BrokerStatus.Throughput(
            broker.rate("putTps"), broker.rate("getTransferredTps"), broker.rate("metaqPutBytesTps"), broker.rate("metaqGetBytesTps")),
        latency(),
        new BrokerStatus.Totals(
            difference("msgPutTotalTodayNow", "msgPutTotalTodayMorning"),
            difference("msgPutTotalTodayMorning", "msgPutTotalYesterdayMorning"),
            difference("msgGetTotalTodayNow", "msgGetTotalTodayMorning"),
            difference("msgGetTotalTodayMorning", "msgGetTotalYesterdayMorning")),
        whole("putMessageFailedTimes"),
        disk(),
        new BrokerStatus.Log(
            whole("commitLogMinOffset"), whole("commitLogMaxOffset"), whole("earliestMessageTimeStamp"), whole("dispatchBehindBytes"),
            size(broker.figure("remainHowManyDataToFlush"))),
        new BrokerStatus.Memory(whole("metaqHeapUsedBytes"), whole("metaqHeapMaxBytes")),
        new BrokerStatus.Clients(either(whole("metaqProducers"), producers), whole("metaqConsumers")),
        whole("timerCongestNum"),
        whole("metaqStandingQueues"),
        whole("metaqContradictingGroups"),
        replication.map(told -> replication(told, masterEnd)));
  }

  private BrokerStatus.Latency latency() {
    String[] lastMinute = broker.figure("metaqPutLatency").split(" ");
    return lastMinute.length == LATENCIES
        ? new BrokerStatus.Latency(
            BrokerInfo.number(lastMinute[0]), BrokerInfo.number(lastMinute[1]), BrokerInfo.number(lastMinute[2]), BrokerInfo.number(lastMinute[3]))
        : new BrokerStatus.Latency(
            OptionalDouble.empty(), broker.decimal("putLatency99"), broker.decimal("putLatency999"),
            broker.decimal("putMessageEntireTimeMax"));
  }

  private BrokerStatus.Disk disk() {
    Matcher capacity = CAPACITY.matcher(broker.figure("commitLogDirCapacity"));
    boolean told = capacity.matches();
    return new BrokerStatus.Disk(
        broker.decimal("commitLogDiskRatio"),
        either(whole("metaqDiskFreeBytes"), told ? size(capacity.group(2)) : OptionalLong.empty()),
        either(whole("metaqDiskTotalBytes"), told ? size(capacity.group(1)) : OptionalLong.empty()));
  }

  private static ReplicationStatus replication(HaStatusBody told, OptionalLong masterEnd) {
    return new ReplicationStatus(
        told.slaves().stream().map(slave -> new ReplicationStatus.Follower(
            slave.address(), slave.acknowledged(), slave.sent(), Math.max(0, told.logEnd() - slave.acknowledged()), slave.inSync(),
            slave.bytesPerSecond(), since1970(slave.answeredMs()))).toList(),
        told.isMaster() || told.master().address().isEmpty() ? Optional.empty() : Optional.of(new ReplicationStatus.Source(
            told.master().address(), told.master().active(), told.master().received(), lag(told.logEnd(), masterEnd),
            told.master().bytesPerSecond(), since1970(told.master().heardMs()))));
  }

  private static OptionalLong lag(long end, OptionalLong masterEnd) {
    return masterEnd.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Math.max(0, masterEnd.getAsLong() - end));
  }

  private static OptionalLong since1970(long ms) {
    return ms <= 0 ? OptionalLong.empty() : OptionalLong.of(ms);
  }

  private static OptionalLong either(OptionalLong first, OptionalLong second) {
    return first.isPresent() ? first : second;
  }

  private OptionalLong whole(String figure) {
    String text = broker.figure(figure);
    return text.matches("-?[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
  }

  private OptionalLong difference(String figure, String before) {
    OptionalLong now = whole(figure);
    OptionalLong then = whole(before);
    return now.isEmpty() || then.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Math.max(0, now.getAsLong() - then.getAsLong()));
  }

  /** {@code 12.5 GiB}, {@code 0 B}, {@code 3.1 MB}. */
  private static OptionalLong size(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      return OptionalLong.empty();
    }
    int power = size.group(2).isEmpty() ? 0 : UNITS.indexOf(size.group(2)) + 1;
    double unit = Math.pow(size.group(3).isEmpty() ? 1_000 : 1_024, power);
    return OptionalLong.of((long) (Double.parseDouble(size.group(1)) * unit));
  }
}
