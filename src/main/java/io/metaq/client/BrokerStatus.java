package io.metaq.client;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How one broker is, in figures. What a broker does not tell is empty, never 0: all of it when it does not answer, and at Apache RocketMQ
 * what only MetaQ tells.
 *
 * @param broker the broker, with its figures as it gave them
 * @param upSinceMs when it started, ms since 1970
 * @param refusedMessages since its start
 * @param waitingTimers messages that wait for their time
 * @param standingQueues queues in which a connected group does not get on; only MetaQ tells
 * @param contradictingGroups groups whose members want different things; only MetaQ tells
 * @param replication of its log
 */
public record BrokerStatus(
    BrokerInfo broker,
    OptionalLong upSinceMs,
    Throughput throughput,
    Latency sendLatency,
    Totals totals,
    OptionalLong refusedMessages,
    Disk disk,
    Log log,
    Memory memory,
    Clients clients,
    OptionalLong waitingTimers,
    OptionalLong standingQueues,
    OptionalLong contradictingGroups,
    Optional<ReplicationStatus> replication) {

  /**
   * Means of the last ten seconds.
   *
   * @param stored messages a second
   * @param read messages a second
   * @param storedBytes a second; only MetaQ tells
   * @param readBytes a second; only MetaQ tells
   */
  public record Throughput(OptionalDouble stored, OptionalDouble read, OptionalDouble storedBytes, OptionalDouble readBytes) {}

  /**
   * How long messages took to be stored, ms: of the last minute. Of Apache RocketMQ, the longest is that since its start.
   *
   * @param p50 half of them took no longer; only MetaQ tells
   */
  public record Latency(OptionalDouble p50, OptionalDouble p99, OptionalDouble p999, OptionalDouble max) {}

  /** Messages of a day in the broker's time zone. */
  public record Totals(OptionalLong storedToday, OptionalLong storedYesterday, OptionalLong readToday, OptionalLong readYesterday) {}

  /**
   * The disk its log is on.
   *
   * @param usedRatio 0 to 1
   * @param freeBytes of Apache RocketMQ, to about a tenth of the unit it tells them in
   */
  public record Disk(OptionalDouble usedRatio, OptionalLong freeBytes, OptionalLong totalBytes) {}

  /**
   * Its commit log.
   *
   * @param minOffset bytes, position of the first record that is kept
   * @param maxOffset bytes, position of the end
   * @param earliestStoredMs when the first record was stored, ms since 1970
   * @param dispatchLagBytes what the queues do not have yet
   * @param unflushedBytes what is not known to be on the disk
   */
  public record Log(
      OptionalLong minOffset, OptionalLong maxOffset, OptionalLong earliestStoredMs, OptionalLong dispatchLagBytes,
      OptionalLong unflushedBytes) {}

  /** The heap of its process; only MetaQ tells. */
  public record Memory(OptionalLong heapUsedBytes, OptionalLong heapMaxBytes) {}

  /** Clients that are connected to it: with producer groups, and as members of consumer groups (only MetaQ tells). */
  public record Clients(OptionalLong producers, OptionalLong consumers) {}
}
