package io.metaq.bridge;

import java.util.Optional;
import java.util.function.Function;

/** What is told of each broker: the name, a sentence, and where its number comes from. Unknown is left out, never 0. */
enum BrokerMetric {
  UP("metaq.broker.up", "1 while the broker answers", view -> Optional.of(view.broker().fault().isEmpty() ? 1.0 : 0.0)),
  STORED_RATE("metaq.broker.stored.per.second", "Messages stored, mean of ten seconds", view -> view.rate("putTps")),
  READ_RATE("metaq.broker.read.per.second", "Messages read, mean of ten seconds", view -> view.rate("getTransferredTps")),
  STORED("metaq.broker.stored.messages", "Messages stored since the broker's start", view -> view.decimal("putMessageTimesTotal")),
  STORED_BYTES("metaq.broker.stored.bytes", "Bytes stored since the broker's start", view -> view.decimal("putMessageSizeTotal")),
  REFUSED("metaq.broker.refused.messages", "Messages refused since the broker's start", view -> view.decimal("putMessageFailedTimes")),
  LATENCY_99("metaq.broker.put.p99.milliseconds", "99th percentile of the time of a put", view -> view.decimal("putLatency99")),
  PACED("metaq.broker.paced.pulls", "Pulls of readers far behind that waited so that sends do not",
      view -> view.decimal("metaqPacedPulls")),
  CONTRADICTING("metaq.broker.contradicting.groups", "Groups whose members want different things",
      view -> view.decimal("metaqContradictingGroups")),
  STANDING("metaq.broker.standing.queues", "Queues in which a connected group does not get on",
      view -> view.decimal("metaqStandingQueues")),
  TIMERS("metaq.broker.waiting.timers", "Messages that wait for their time", view -> view.decimal("timerCongestNum")),
  DISK("metaq.store.disk.used.ratio", "Used part of the disk of the log", view -> view.decimal("commitLogDiskRatio")),
  LOG_START("metaq.store.log.start.bytes", "Position of the log's first byte", view -> view.decimal("commitLogMinOffset")),
  LOG_END("metaq.store.log.end.bytes", "Position of the log's end", view -> view.decimal("commitLogMaxOffset")),
  LAG("metaq.replication.lag.bytes", "What a slave has still to copy", view -> view.lagBytes().map(Long::doubleValue));

  private final String metric;
  private final String description;
  private final Function<BrokerView, Optional<Double>> value;

  BrokerMetric(String metric, String description, Function<BrokerView, Optional<Double>> value) {
    this.metric = metric;
    this.description = description;
    this.value = value;
  }

  String metric() {
    return metric;
  }

  /** As Prometheus has it. */
  String exposed() {
    return metric.replace('.', '_');
  }

  String description() {
    return description;
  }

  Optional<Double> value(BrokerView view) {
    return value.apply(view);
  }
}
