package io.metaq.broker;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.store.QueueVisitor;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The figures of a whole broker: each loop counts for itself, whoever asks gets the sums, and samples from the last ten minutes
 * make rates of them. Days begin at midnight of the machine's time zone; their totals outlive the process.
 */
@OwnedBy("the sampler, one at a time on a worker of the first loop; read by everyone")
public final class BrokerFigures {
  static final long SAMPLE_EVERY_MS = 10_000;
  private static final int MOST_SAMPLES = 62;
  private static final int SAMPLES_PER_SAVE = 6;

  private final List<LoopFigures> loops;
  private final BrokerStatistics statistics;
  private final Clock clock;
  private final ZoneId zone;
  private final FiguresFile file;
  private final long startedAtMs;
  /** What the processes before left. */
  private final DayTotals.Count inherited;
  private volatile List<Sample> samples;
  private volatile GroupHealth health = GroupHealth.GOOD;
  private volatile DayTotals days;
  private DayTotals saved;
  private int sinceSave;

  /**
   * Figures that begin now.
   *
   * @param stored tells how much each queue got since the start
   * @param cluster the broker's
   * @param file where the totals of days are kept; read here
   */
  public BrokerFigures(int loops, Clock clock, Consumer<QueueVisitor> stored, String cluster, FiguresFile file) {
    this(loops, clock, ZoneId.systemDefault(), stored, cluster, file);
  }

  BrokerFigures(int loops, Clock clock, ZoneId zone, Consumer<QueueVisitor> stored, String cluster, FiguresFile file) {
    this.loops = IntStream.range(0, loops).mapToObj(loop -> new LoopFigures()).toList();
    this.statistics = new BrokerStatistics(this.loops, stored, clock, cluster);
    this.clock = clock;
    this.zone = zone;
    this.file = file;
    startedAtMs = clock.millis();
    samples = List.of(sampleNow());
    saved = file.read().orElseGet(() -> DayTotals.beginning(today()));
    inherited = saved.now();
    days = saved.at(today(), inherited);
  }

  /** The sums at one moment; the time is monotonic. */
  private record Sample(long atMs, long[] sums, long[] putTimes) {
    long of(Figure figure) {
      return sums[figure.ordinal()];
    }
  }

  LoopFigures loop(int loop) {
    return loops.get(loop);
  }

  /** By topic and by group. */
  BrokerStatistics statistics() {
    return statistics;
  }

  /** Since when is counted. */
  long startedAtMs() {
    return startedAtMs;
  }

  /** Owner: every {@value #SAMPLE_EVERY_MS} ms. Writes the totals of days now and then: blocks. */
  void sample() {
    Sample now = sampleNow();
    List<Sample> kept = new ArrayList<>(samples.subList(Math.max(0, samples.size() + 1 - MOST_SAMPLES), samples.size()));
    kept.add(now);
    samples = List.copyOf(kept);
    days = today(days);
    statistics.sample();
    if (++sinceSave >= SAMPLES_PER_SAVE) {
      save();
    }
  }

  /** Owner: writes the totals of days, when they have changed. Blocks. */
  void save() {
    sinceSave = 0;
    days = today(days);
    if (!days.equals(saved)) {
      file.write(days);
      saved = days;
    }
  }

  long total(Figure figure) {
    return loops.stream().mapToLong(loop -> loop.get(figure)).sum();
  }

  /** Messages in and out over all processes of this broker: now, and as the last two days began. */
  DayTotals days() {
    return today(days);
  }

  /**
   * How many a second, of late: over the window and what is left to the sample before it, or since the start when that is shorter.
   */
  double perSecond(Figure figure, long windowMs) {
    long nowMs = monotonicMs();
    Sample from = beginning(windowMs, nowMs);
    long tookMs = nowMs - from.atMs;
    return tookMs <= 0 ? 0 : (total(figure) - from.of(figure)) * 1_000.0 / tookMs;
  }

  private Sample beginning(long windowMs, long nowMs) {
    List<Sample> known = samples;
    Sample from = known.get(0);
    for (Sample sample : known) {
      from = nowMs - sample.atMs >= windowMs ? sample : from;
    }
    return from;
  }

  /** Owner: how the groups are. */
  void health(GroupHealth now) {
    health = now;
  }

  GroupHealth health() {
    return health;
  }

  /** The longest time that it took to find the messages of a pull, since the start. */
  long longestReadNs() {
    return loops.stream().mapToLong(LoopFigures::longestReadNs).max().orElse(0);
  }

  PutTimes putTimes() {
    return new PutTimes(putTimeSums());
  }

  /** Of late: over a window as {@link #perSecond} has it. */
  PutTimes putTimes(long windowMs) {
    long[] sums = putTimeSums();
    long[] before = beginning(windowMs, monotonicMs()).putTimes;
    for (int i = 0; i < sums.length; i++) {
      sums[i] -= before[i];
    }
    return new PutTimes(sums);
  }

  private long[] putTimeSums() {
    long[] sums = new long[PutTimes.BUCKETS];
    loops.forEach(loop -> loop.addPutTimesTo(sums));
    return sums;
  }

  private DayTotals today(DayTotals before) {
    return before.at(today(), inherited.plus(new DayTotals.Count(total(Figure.MESSAGES_STORED), total(Figure.MESSAGES_READ))));
  }

  private Sample sampleNow() {
    Figure[] figures = Figure.values();
    long[] sums = new long[figures.length];
    for (Figure figure : figures) {
      sums[figure.ordinal()] = total(figure);
    }
    return new Sample(monotonicMs(), sums, putTimeSums());
  }

  private long monotonicMs() {
    return clock.nanos() / 1_000_000;
  }

  private LocalDate today() {
    return Instant.ofEpochMilli(clock.millis()).atZone(zone).toLocalDate();
  }
}
