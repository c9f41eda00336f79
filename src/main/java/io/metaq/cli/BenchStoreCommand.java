package io.metaq.cli;

import io.metaq.launcher.Logging;
import io.metaq.model.Clock;
import io.metaq.store.DiskBench;
import io.metaq.store.FlushMode;
import io.metaq.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures a machine and a disk for the store; needs no broker. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Measures this machine and a folder's disk with the parts of the store; no broker is needed or touched.",
      "Without --append: a table of what the ways into a file and to the disk cost. With it: the time of appends to a store whose parts "
          + "run on their threads as in a broker, at a rate or as fast as it goes."
    })
final class BenchStoreCommand implements Callable<Integer> {
  private static final int SUCCESS = 0;
  private static final int FAILURE = 1;
  private static final double NS_PER_US = 1000;

  @Spec private CommandSpec spec;
  @Mixin private ProgressLine progress;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder on the disk to measure; what is made in it is deleted again. The folder of temporary files by default.")
  private Path data = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(names = "--seconds", paramLabel = "N", description = "How long to measure in all; ${DEFAULT-VALUE} by default.")
  private int seconds = 20;

  @Option(names = "--append", description = "Measures appends instead of the table.")
  private boolean append;

  @Option(
      names = "--rate",
      paramLabel = "PER-SECOND",
      description = {
        "Messages a second to append, on a fixed schedule: a batch that starts late counts from when it was due.",
        "Without it as fast as all parts of the store keep up."
      })
  private double rate;

  @Option(names = "--batch", paramLabel = "N", description = "Messages of a batch; ${DEFAULT-VALUE} by default.")
  private int batch = 32;

  @Option(names = "--size", paramLabel = "BYTES", description = "Bytes of a body; ${DEFAULT-VALUE} by default.")
  private int size = 128;

  @Option(names = "--flush", paramLabel = "MODE", description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
  private FlushMode flush = FlushMode.ASYNC_FLUSH;

  @Override
  public Integer call() {
    require(seconds >= 1, "--seconds must be at least 1");
    require(rate >= 0, "--rate must not be negative");
    require(batch >= 1 && size >= 0 && (long) batch * (size + 1000) <= 256 << 10, "--batch times --size must stay below 256 KiB");
    require(Files.isDirectory(data), "--data " + data + " is no folder");
    Logging.level("WARN");
    PrintWriter err = spec.commandLine().getErr();
    try (Interruption interruption = Interruption.listen()) {
      int status = measure(interruption, err);
      spec.commandLine().getOut().flush();
      err.flush();
      interruption.finished(status);
      return status;
    }
  }

  private int measure(Interruption interruption, PrintWriter err) {
    try {
      Path folder = Files.createTempDirectory(data, "metaq-bench-");
      try {
        if (append) {
          append(folder, interruption);
        } else {
          table(folder, interruption);
        }
        return SUCCESS;
      } finally {
        progress.clear(err);
        delete(folder);
      }
    } catch (IOException failure) {
      err.println("metaq: the folder " + data + " cannot be used: " + IoReason.of(failure));
    } catch (StoreException | CommandFailure failure) {
      err.println("metaq: " + failure.getMessage());
    }
    return FAILURE;
  }

  private void table(Path folder, Interruption interruption) throws IOException {
    DiskBench bench = new DiskBench(folder, Clock.system());
    List<DiskBench.Row> rows = bench.run(
        TimeUnit.SECONDS.toNanos(seconds),
        interruption::requested,
        what -> progress.show(spec.commandLine().getErr(), Clock.system(), () -> "measuring: " + what));
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%-64s%12s%12s%12s%10s%n", "", "p50 us", "p99 us", "max us", "samples");
    for (DiskBench.Row row : rows) {
      out.printf(Locale.ROOT, "%-64s%12.2f%12.2f%12.2f%10d%n",
          row.what(), row.p50Ns() / NS_PER_US, row.p99Ns() / NS_PER_US, row.maxNs() / NS_PER_US, row.samples());
    }
  }

  private void append(Path folder, Interruption interruption) {
    BenchRecords records = new BenchRecords(batch, size);
    AppendRun run = new AppendRun(folder, flush, records, rate, Clock.system());
    AppendRun.Result result = run.measure(TimeUnit.SECONDS.toNanos(seconds), interruption::requested, line ->
        progress.show(spec.commandLine().getErr(), Clock.system(), () -> line));
    progress.clear(spec.commandLine().getErr());
    PrintWriter out = spec.commandLine().getOut();
    double took = Math.max(0.001, result.seconds());
    out.printf(Locale.ROOT, "%,d messages of %d bytes in batches of %d in %.1f s under %s: %,.0f/s, %.1f MB/s%n%n",
        result.messages(), records.messageSize(), batch, took, flush, result.messages() / took,
        result.messages() / took * records.messageSize() / 1e6);
    out.print(LatencyTable.of("an append of a batch", result.appends()));
    if (rate > 0) {
      out.println();
      out.print(LatencyTable.of("an append of a batch, from when it was due (open loop, " + Math.round(rate) + "/s)", result.fromDue()));
    }
  }

  private void require(boolean holds, String sentence) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), sentence);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
