package io.metaq.broker;

import io.metaq.broker.LoopTallies.Name;
import io.metaq.codec.admin.StatisticsBody;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.store.QueueVisitor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Counts by topic and by group over the last minute, hour and day. What is stored is counted by the queues themselves, whoever
 * stored it; what is read by the loop that answers. Nothing is done for a message here: a sampler looks at the sums every ten
 * seconds, and whoever asks gets the difference to now.
 *
 * <p>Bound: {@value #MOST} names, each with a kilobyte of history. Names beyond that have none and count as never seen.
 */
@OwnedBy("the sampler, one at a time on a worker of the first loop; read by everyone")
final class BrokerStatistics {
  static final int MOST = 4_096;

  private final List<LoopFigures> loops;
  private final Consumer<QueueVisitor> stored;
  private final Clock clock;
  private final String cluster;
  private final Beats beats;
  /** Concurrent, because it is read while the sampler adds a name. */
  private final Map<Name, History> histories = new ConcurrentHashMap<>();

  /**
   * @param stored tells how much each queue got since the start
   * @param cluster under whose name the sums of the whole broker stand
   */
  BrokerStatistics(List<LoopFigures> loops, Consumer<QueueVisitor> stored, Clock clock, String cluster) {
    this.loops = loops;
    this.stored = stored;
    this.clock = clock;
    this.cluster = cluster;
    this.beats = new Beats(monotonicMs());
  }

  /** Owner: every {@value BrokerFigures#SAMPLE_EVERY_MS} ms. Takes time in proportion to the number of queues. */
  void sample() {
    Map<Name, long[]> now = new HashMap<>();
    stored.accept((topic, queueId, messages, bytes) -> {
      long[] sums = now.computeIfAbsent(new Name(Statistic.Source.TOPIC_PUTS, topic), name -> new long[Tally.LANES]);
      sums[Tally.MESSAGES] += messages;
      sums[Tally.BYTES] += bytes;
    });
    for (LoopFigures loop : loops) {
      loop.tallies().each((name, tally) -> tally.addTo(now.computeIfAbsent(name, fresh -> new long[Tally.LANES])));
    }
    for (Statistic.Source source : List.of(Statistic.Source.BROKER_PUTS, Statistic.Source.BROKER_GETS)) {
      now.put(new Name(source, cluster), ofBroker(source));
    }
    long beat = beats.next();
    now.forEach((name, sums) -> {
      History history = histories.get(name);
      if (history == null && histories.size() < MOST) {
        history = new History();
        histories.put(name, history);
      }
      if (history != null) {
        history.keep(beat, sums);
      }
    });
    beats.reached(beat, monotonicMs());
  }

  /**
   * A statistic over the last minute, hour and day; empty when nothing was ever counted under the key. Takes time in proportion to
   * the number of queues: for workers.
   */
  Optional<StatisticsBody> of(Statistic statistic, String key) {
    Name name = new Name(statistic.source(), key);
    long[] now = now(name);
    History history = histories.get(name);
    if (now[Tally.MESSAGES] == 0 || history == null && histories.size() >= MOST) {
      return Optional.empty();
    }
    return Optional.of(new StatisticsBody(
        window(statistic, history, now, Beats.Window.MINUTE),
        window(statistic, history, now, Beats.Window.HOUR),
        window(statistic, history, now, Beats.Window.DAY)));
  }

  /** Messages a second over the last minute, 0 when there are none. */
  double perSecond(Statistic statistic, String key) {
    return of(statistic, key).map(found -> found.minute().perSecond()).orElse(0.0);
  }

  private StatisticsBody.Window window(Statistic statistic, History history, long[] now, Beats.Window window) {
    int oldest = beats.oldestSlot(window);
    long sum = now[statistic.lane()] - (history == null ? 0 : history.at(oldest, statistic.lane()));
    long times = now[statistic.timesLane()] - (history == null ? 0 : history.at(oldest, statistic.timesLane()));
    long tookMs = Math.max(1, monotonicMs() - beats.timeMs(oldest));
    return new StatisticsBody.Window(sum, sum * 1_000.0 / tookMs, times == 0 ? 0 : (double) sum / times);
  }

  private long[] now(Name name) {
    if (name.source() == Statistic.Source.TOPIC_PUTS) {
      long[] sums = new long[Tally.LANES];
      stored.accept((topic, queueId, messages, bytes) -> {
        if (topic.equals(name.key())) {
          sums[Tally.MESSAGES] += messages;
          sums[Tally.BYTES] += bytes;
        }
      });
      return sums;
    }
    if (name.source() == Statistic.Source.BROKER_PUTS || name.source() == Statistic.Source.BROKER_GETS) {
      return name.key().equals(cluster) ? ofBroker(name.source()) : new long[Tally.LANES];
    }
    long[] sums = new long[Tally.LANES];
    loops.forEach(loop -> loop.tallies().addTo(name, sums));
    return sums;
  }

  private long[] ofBroker(Statistic.Source source) {
    boolean puts = source == Statistic.Source.BROKER_PUTS;
    long[] sums = new long[Tally.LANES];
    for (LoopFigures loop : loops) {
      sums[Tally.MESSAGES] += loop.get(puts ? Figure.MESSAGES_STORED : Figure.MESSAGES_READ);
      sums[Tally.BYTES] += loop.get(puts ? Figure.BYTES_STORED : Figure.BYTES_READ);
      sums[Tally.CALLS] += loop.get(puts ? Figure.MESSAGES_STORED : Figure.PULLS_FOUND);
    }
    return sums;
  }

  private long monotonicMs() {
    return clock.nanos() / 1_000_000;
  }
}
