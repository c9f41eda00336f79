package io.metaq.broker;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The figures of a whole broker: each loop counts for itself, whoever asks gets the sums, and samples from the last ten minutes make
 * rates of them. Days begin at midnight of the machine's time zone.
 */
@OwnedBy("the first loop, which takes the samples; read by everyone")
public final class BrokerFigures {
  static final long SAMPLE_EVERY_MS = 10_000;
  private static final int MOST_SAMPLES = 62;

  private final List<LoopFigures> loops;
  private final Clock clock;
  private final ZoneId zone;
  private final long startedAtMs;
  private volatile List<Sample> samples;
  private volatile Mornings mornings;
  private volatile GroupHealth health = GroupHealth.GOOD;

  public BrokerFigures(int loops, Clock clock) {
    this(loops, clock, ZoneId.systemDefault());
  }

  BrokerFigures(int loops, Clock clock, ZoneId zone) {
    this.loops = IntStream.range(0, loops).mapToObj(loop -> new LoopFigures()).toList();
    this.clock = clock;
    this.zone = zone;
    startedAtMs = clock.millis();
    samples = List.of(sampleNow());
    mornings = new Mornings(today(), samples.get(0), samples.get(0));
  }

  /** The sums at one moment; the time is monotonic. */
  private record Sample(long atMs, long[] sums) {
    long of(Figure figure) {
      return sums[figure.ordinal()];
    }
  }

  /** The sums as the day and the day before began. */
  private record Mornings(LocalDate day, Sample yesterday, Sample today) {}

  LoopFigures loop(int loop) {
    return loops.get(loop);
  }

  /** Since when is counted. */
  long startedAtMs() {
    return startedAtMs;
  }

  /** Owner: every {@value #SAMPLE_EVERY_MS} ms. */
  void sample() {
    Sample now = sampleNow();
    List<Sample> kept = new ArrayList<>(samples.subList(Math.max(0, samples.size() + 1 - MOST_SAMPLES), samples.size()));
    kept.add(now);
    samples = List.copyOf(kept);
    if (!today().equals(mornings.day)) {
      mornings = new Mornings(today(), mornings.today, now);
    }
  }

  long total(Figure figure) {
    return loops.stream().mapToLong(loop -> loop.get(figure)).sum();
  }

  /** The sum as today began. */
  long thisMorning(Figure figure) {
    return mornings.today.of(figure);
  }

  /** The sum as yesterday began, or when the broker started if that was later. */
  long yesterdayMorning(Figure figure) {
    return mornings.yesterday.of(figure);
  }

  /** How many a second, of late: over the window and what is left to the sample before it, or since the start when that is shorter. */
  double perSecond(Figure figure, long windowMs) {
    long nowMs = monotonicMs();
    List<Sample> known = samples;
    Sample from = known.get(0);
    for (Sample sample : known) {
      from = nowMs - sample.atMs >= windowMs ? sample : from;
    }
    long tookMs = nowMs - from.atMs;
    return tookMs <= 0 ? 0 : (total(figure) - from.of(figure)) * 1_000.0 / tookMs;
  }

  /** Owner: how the groups are. */
  void health(GroupHealth now) {
    health = now;
  }

  GroupHealth health() {
    return health;
  }

  PutTimes putTimes() {
    long[] sums = new long[PutTimes.BUCKETS];
    loops.forEach(loop -> loop.addPutTimesTo(sums));
    return new PutTimes(sums);
  }

  private Sample sampleNow() {
    Figure[] figures = Figure.values();
    long[] sums = new long[figures.length];
    for (Figure figure : figures) {
      sums[figure.ordinal()] = total(figure);
    }
    return new Sample(monotonicMs(), sums);
  }

  private long monotonicMs() {
    return clock.nanos() / 1_000_000;
  }

  private LocalDate today() {
    return Instant.ofEpochMilli(clock.millis()).atZone(zone).toLocalDate();
  }
}
