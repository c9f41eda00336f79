package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class LoadTest {
  private static final long MS = 1_000_000;

  private final Interruption interruption = Interruption.listen();
  private final TickingClock clock = new TickingClock();

  @AfterEach
  void stopListening() {
    interruption.close();
  }

  @Test
  void shouldCountFromWhenAMessageWasDueAlsoAfterAStall() {
    Load load = new Load(clock, options("--rate", "100"), interruption, clock::pause);
    List<Long> starts = new ArrayList<>();

    load.run(1000 * MS, 20, dueNs -> {
      starts.add(dueNs);
      if (starts.size() == 5) {
        clock.nowNs += 200 * MS;
      }
      load.answered();
    }, () -> {});

    assertThat(starts).hasSize(20);
    for (int i = 0; i < 20; i++) {
      assertThat(starts.get(i) - starts.get(0)).isEqualTo(i * 10 * MS);
    }
  }

  @Test
  void shouldRecordTheStallInEveryMessageThatWasDueInIt() {
    Load load = new Load(clock, options("--rate", "100"), interruption, clock::pause);
    Measurement measurement = new Measurement(clock);
    measurement.begin();

    load.run(1000 * MS, 20, dueNs -> {
      if (measurement.items() == 5) {
        clock.nowNs += 100 * MS;
      }
      measurement.record(dueNs, 1);
      load.answered();
    }, () -> {});

    assertThat(measurement.latencies().getCountBetweenValues(15 * MS, 200 * MS)).isGreaterThanOrEqualTo(8);
  }

  @Test
  void shouldStopWhenTheTimeIsOver() {
    Load load = new Load(clock, options(), interruption, clock::pause);
    List<Long> starts = new ArrayList<>();

    load.run(50 * MS, Long.MAX_VALUE, startNs -> {
      starts.add(startNs);
      clock.nowNs += MS;
      load.answered();
    }, () -> {});

    assertThat(starts).hasSizeBetween(40, 50);
  }

  @Test
  void shouldNotCountWhatBeganInTheWarmUp() {
    Measurement measurement = new Measurement(clock);
    long early = clock.nanos();
    measurement.record(early, 1);
    measurement.begin();

    measurement.record(early, 1);
    measurement.failed(early);
    measurement.record(clock.nanos(), 3);

    assertThat(measurement.items()).isEqualTo(3);
    assertThat(measurement.failures()).isZero();
    assertThat(measurement.latencies().getTotalCount()).isEqualTo(1);
  }

  @Test
  void shouldSayWhenAnswersAreMissing() {
    Load load = new Load(clock, options("--in-flight", "2"), interruption, clock::pause);

    load.run(1000 * MS, 1, startNs -> {}, () -> {});

    assertThat(load.drain(1)).isFalse();
    load.answered();
    assertThat(load.drain(1)).isTrue();
  }

  private static LoadOptions options(String... arguments) {
    return CommandLine.populateCommand(new Holder(), arguments).load;
  }

  @Command
  private static final class Holder {
    @Mixin private LoadOptions load;
  }

  /** Each look at it takes a microsecond. */
  private static final class TickingClock implements Clock {
    private long nowNs = 1000;

    void pause(long ns) {
      nowNs += ns;
    }

    @Override
    public long millis() {
      return nowNs / MS;
    }

    @Override
    public long nanos() {
      return nowNs += 1000;
    }
  }
}
