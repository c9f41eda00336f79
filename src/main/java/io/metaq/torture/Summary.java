package io.metaq.torture;

import io.metaq.store.FlushMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What came of all rounds.
 *
 * @param results one for each round, in order
 */
public record Summary(List<RoundResult> results) {
  /** After so many power cuts under ASYNC_FLUSH something must have been lost, or cutting the power proves nothing. */
  static final int ASYNC_CUTS_THAT_PROVE = 10;

  public Summary {
    results = List.copyOf(results);
  }

  /**
   * The sums of one kind under one flush mode.
   *
   * @param total its rounds as if they were one
   */
  public record Row(Kind kind, FlushMode mode, int rounds, RoundResult total) {}

  /** For every kind and mode that had rounds. */
  public List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (FlushMode mode : FlushMode.values()) {
        List<RoundResult> some = results.stream().filter(result -> result.kind() == kind && result.mode() == mode).toList();
        if (!some.isEmpty()) {
          rows.add(new Row(kind, mode, some.size(), total(kind, mode, some)));
        }
      }
    }
    return rows;
  }

  /** Acknowledged messages, those left out that ASYNC_FLUSH may lose with the power, and did. */
  public long acknowledged() {
    return sum(results, RoundResult::acknowledged) - sum(results, RoundResult::lostAsExpected);
  }

  public long found() {
    return sum(results, RoundResult::found);
  }

  public long duplicates() {
    return sum(results, RoundResult::duplicates);
  }

  public long repaired() {
    return sum(results, RoundResult::repaired);
  }

  /** Whether no round failed. */
  public boolean passed() {
    return results.stream().allMatch(RoundResult::passed);
  }

  /** Whether the power was cut often enough under ASYNC_FLUSH, and never took anything: then it cannot have been cut. */
  public boolean provesNothing() {
    List<RoundResult> cuts = results.stream()
        .filter(result -> result.kind() == Kind.POWER_CUT && result.mode() == FlushMode.ASYNC_FLUSH).toList();
    return cuts.size() >= ASYNC_CUTS_THAT_PROVE && sum(cuts, RoundResult::lostAsExpected) == 0;
  }

  private static RoundResult total(Kind kind, FlushMode mode, List<RoundResult> some) {
    return new RoundResult(kind, mode, sum(some, RoundResult::acknowledged), sum(some, RoundResult::lost),
        sum(some, RoundResult::lostAsExpected), sum(some, RoundResult::duplicates), (int) sum(some, RoundResult::repaired),
        some.stream().flatMap(result -> result.faults().stream()).toList());
  }

  private static long sum(List<RoundResult> some, ToLongFunction<RoundResult> value) {
    return some.stream().mapToLong(value).sum();
  }
}
