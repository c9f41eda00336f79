package io.metaq.cli;

import io.metaq.launcher.Logging;
import io.metaq.model.Clock;
import io.metaq.store.FlushMode;
import io.metaq.torture.Kind;
import io.metaq.torture.RoundResult;
import io.metaq.torture.Summary;
import io.metaq.torture.Torture;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Proves the store's promises on this machine. */
@Command(
    name = "torture",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Kills brokers, cuts the power of a simulated disk and tears files, again and again, and looks each time whether every",
      "acknowledged message is there, at its offset with its bytes. Exit status: 0 nothing lost, 1 a round failed, 2 wrong usage."
    })
final class TortureCommand implements Callable<Integer> {
  private static final int SUCCESS = 0;
  private static final int FAILURE = 1;

  /** Which flush modes take part. */
  private enum Modes {
    sync(FlushMode.SYNC_FLUSH),
    async(FlushMode.ASYNC_FLUSH),
    both(FlushMode.values());

    private final List<FlushMode> modes;

    Modes(FlushMode... modes) {
      this.modes = List.of(modes);
    }
  }

  /** Which kinds of rounds are run. */
  private enum Kinds {
    kill(Kind.KILL),
    power(Kind.POWER_CUT),
    torn(Kind.TORN_FILES),
    all(Kind.values());

    private final List<Kind> kinds;

    Kinds(Kind... kinds) {
      this.kinds = List.of(kinds);
    }
  }

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "20", description = "Rounds to run (default ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(names = "--data", paramLabel = "DIR", description = "An empty folder on the disk to be tried; default: a temporary one.")
  private Path data;

  @Option(names = "--seed", paramLabel = "S", description = "Repeats the choices of the run that printed it.")
  private Long seed;

  @Option(names = "--mode", paramLabel = "MODE", defaultValue = "both",
      description = "Flush mode: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
  private Modes mode;

  @Option(names = "--kind", paramLabel = "KIND", defaultValue = "all",
      description = "Rounds: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
  private Kinds kind;

  @Spec private CommandSpec spec;
  @Mixin private ProgressLine progress;

  @Override
  public Integer call() {
    check();
    Logging.level("OFF");
    PrintWriter err = spec.commandLine().getErr();
    try (Interruption interruption = Interruption.listen()) {
      int status = FAILURE;
      try {
        status = run(interruption);
      } catch (IOException failure) {
        err.println("metaq: the rounds cannot be run: " + IoReason.withFile(failure));
      }
      spec.commandLine().getOut().flush();
      err.flush();
      interruption.finished(status);
      return status;
    }
  }

  private void check() {
    if (rounds < 1) {
      throw new ParameterException(spec.commandLine(), "--rounds must be 1 or more, not " + rounds);
    }
    if (data != null && Files.exists(data) && !isEmptyFolder(data)) {
      throw new ParameterException(spec.commandLine(), "--data " + data + " is not an empty folder; nothing was touched");
    }
  }

  private int run(Interruption interruption) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Path folder = data != null ? Files.createDirectories(data) : Files.createTempDirectory("metaq-torture");
    long used = seed != null ? seed : new SplittableRandom().nextLong();
    out.println("seed " + used + ", in " + folder);
    out.flush();
    Torture torture = new Torture(folder, used, mode.modes, kind.kinds, OwnProgram.command());
    Summary summary = torture.run(rounds, new Rounds(out, interruption));
    if (summary.passed() && data == null) {
      Files.delete(folder);
    }
    TortureText.lines(summary).forEach(out::println);
    if (summary.provesNothing()) {
      out.println("no power cut took anything under ASYNC_FLUSH, so cutting the power proved nothing");
      return FAILURE;
    }
    return summary.passed() && summary.results().size() == rounds ? SUCCESS : FAILURE;
  }

  private static boolean isEmptyFolder(Path path) {
    if (!Files.isDirectory(path)) {
      return false;
    }
    try (Stream<Path> children = Files.list(path)) {
      return children.findAny().isEmpty();
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** Tells how the rounds go. */
  private final class Rounds implements Torture.Listener {
    private final PrintWriter out;
    private final Interruption interruption;

    Rounds(PrintWriter out, Interruption interruption) {
      this.out = out;
      this.interruption = interruption;
    }

    @Override
    public void begins(int number, Kind now, FlushMode flush) {
      progress.show(spec.commandLine().getErr(), Clock.system(),
          () -> "round " + number + " of " + rounds + ": " + now.words() + ", " + flush);
    }

    @Override
    public void ended(int number, RoundResult result, Path kept) {
      if (kept != null) {
        progress.clear(spec.commandLine().getErr());
        out.println("round " + number + " failed (" + result.kind().words() + ", " + result.mode() + "), its files are kept in " + kept);
        result.faults().forEach(fault -> out.println("  " + fault));
        out.flush();
      }
      if (number == rounds) {
        progress.clear(spec.commandLine().getErr());
      }
    }

    @Override
    public boolean stopped() {
      return interruption.requested();
    }
  }
}
