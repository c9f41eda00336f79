package io.metaq.torture;

import io.metaq.store.FlushMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Runs round after round, of all kinds and flush modes in turn, and collects what came of them. */
public final class Torture {
  /** Power cuts are many because they are quick. */
  private static final List<Kind> TURN = List.of(Kind.POWER_CUT, Kind.KILL, Kind.POWER_CUT, Kind.TORN_FILES);
  private static final long SEEDS_APART = 0x9E3779B97F4A7C15L;

  private final Path folder;
  private final long seed;
  private final List<FlushMode> modes;
  private final List<Kind> kinds;
  private final List<String> program;

  /**
   * Prepares rounds.
   *
   * @param folder where each round makes a folder, which is kept when the round fails
   * @param seed rounds with the same seed and number take the same choices; power cuts are the same altogether
   * @param program how our program is run in a process of its own, without its arguments
   */
  public Torture(Path folder, long seed, List<FlushMode> modes, List<Kind> kinds, List<String> program) {
    this.folder = folder;
    this.seed = seed;
    this.modes = List.copyOf(modes);
    this.kinds = TURN.stream().filter(kinds::contains).toList();
    this.program = List.copyOf(program);
  }

  /** Hears of every round. */
  public interface Listener {
    /** Round {@code number}, from 1, begins. */
    void begins(int number, Kind kind, FlushMode mode);

    /** It is over; {@code kept} is its folder when it failed, null otherwise. */
    void ended(int number, RoundResult result, Path kept);

    /** Whether to stop; the round at hand does not count then. */
    boolean stopped();
  }

  /**
   * Runs so many rounds, one after the other.
   *
   * @throws IOException when the folder cannot be used
   */
  public Summary run(int rounds, Listener listener) throws IOException {
    List<RoundResult> results = new ArrayList<>();
    for (int number = 1; number <= rounds && !listener.stopped(); number++) {
      Kind kind = kindOf(number);
      FlushMode mode = modeOf(number);
      listener.begins(number, kind, mode);
      Path here = Files.createDirectories(folder.resolve("round" + number));
      RoundResult result = run(kind, mode, here, new SplittableRandom(seed + number * SEEDS_APART));
      if (listener.stopped()) {
        // The signal may have reached the round's broker too, so its outcome says nothing.
        delete(here);
        return new Summary(results);
      }
      results.add(result);
      if (result.passed()) {
        delete(here);
      }
      listener.ended(number, result, result.passed() ? null : here);
    }
    return new Summary(results);
  }

  Kind kindOf(int number) {
    return kinds.get((number - 1) % kinds.size());
  }

  /** So that in the long run every kind meets every mode. */
  FlushMode modeOf(int number) {
    int index = number - 1;
    return modes.get((index / 2 + index / TURN.size()) % modes.size());
  }

  private RoundResult run(Kind kind, FlushMode mode, Path here, RandomGenerator random) throws IOException {
    return kind == Kind.POWER_CUT
        ? new PowerCutRound(here, mode, random).run()
        : new ProcessRound(kind, here, mode, random, program).run();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
