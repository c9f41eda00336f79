package io.metaq.cli;

import io.metaq.codec.record.StoredMessage;
import io.metaq.launcher.Logging;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.store.DiskFault;
import io.metaq.store.StoreOptions;
import io.metaq.store.inspect.DumpSink;
import io.metaq.store.inspect.DumpStart;
import io.metaq.store.inspect.DumpedUnit;
import io.metaq.store.inspect.StoreDump;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what is in a store. */
@Command(
    name = "dump",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Prints the records of a store's commit log, or the units of a file of a consume queue, one line each.",
      "Changes nothing and takes no lock. Damaged places are told on standard error and end in status 1."
    })
final class DumpCommand implements Callable<Integer> {
  private static final int SUCCESS = 0;
  private static final int FAILURE = 1;

  @Spec private CommandSpec spec;
  @Mixin private StoreFolder folder;
  @Mixin private ProgressLine progress;

  @Option(
      names = "--from",
      paramLabel = "OFFSET|TIME",
      converter = DumpStartText.class,
      description = "Where to begin: a log position, in a queue file the number of a message, or the time it was stored.")
  private DumpStart from = DumpStart.BEGINNING;

  @Option(names = "--json", description = "Prints each as a JSON object with all that is known about it.")
  private boolean json;

  @Option(names = "--count", paramLabel = "N", description = "Ends after so many.")
  private long count = Long.MAX_VALUE;

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "Only this file, for example consumequeue/T/0/000...0.")
  private Path file;

  @Override
  public Integer call() {
    Logging.level("WARN");
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--count must be at least 1");
    }
    StoreOptions options = folder.options(spec);
    PrintWriter err = spec.commandLine().getErr();
    Lines lines = new Lines(spec.commandLine().getOut(), err);
    try {
      dump(options, lines, err);
      return lines.damaged ? FAILURE : SUCCESS;
    } catch (IOException | UncheckedIOException failure) {
      err.println("metaq: the store in " + options.root() + " cannot be read: " + DiskFault.reasonOf(failure));
    } catch (InternalError cut) {
      // What the JDK makes of touching a mapped file where it is no more.
      err.println("metaq: a file of the store in " + options.root() + " could not be read, or became shorter meanwhile");
    }
    err.flush();
    return FAILURE;
  }

  private void dump(StoreOptions options, Lines lines, PrintWriter err) throws IOException {
    StoreDump dump = new StoreDump(options, from, (area, done, total) -> progress.show(err, Clock.system(),
        () -> lines.printed + " printed, " + (total == 0 ? 100 : done * 100 / total) + " % read"));
    try {
      if (file == null) {
        dump.log(lines);
      } else if (StoreDump.isQueueFile(existing(options))) {
        dump.queueFile(existing(options), lines);
      } else {
        dump.logFile(existing(options), lines);
      }
    } finally {
      spec.commandLine().getOut().flush();
      progress.clear(err);
    }
  }

  /** The file as given, or within the store. */
  private Path existing(StoreOptions options) {
    Path path = Files.isRegularFile(file) ? file : options.root().resolve(file);
    if (!Files.isRegularFile(path)) {
      throw new ParameterException(spec.commandLine(), "there is no file " + path);
    }
    if (!isLogFile(path) && !StoreDump.isQueueFile(path)) {
      throw new ParameterException(spec.commandLine(), path + " is no file of the commit log or of a consume queue");
    }
    return path;
  }

  /** Whether a path names a file of the commit log. */
  static boolean isLogFile(Path path) {
    return path.toAbsolutePath().getParent().endsWith("commitlog") && StoreDump.isDataFile(path);
  }

  /** Prints until there are enough, or nobody reads any more. */
  @OwnedBy("the command's main thread")
  private final class Lines implements DumpSink {
    private static final int LOOK_EVERY = 1024;

    private final PrintWriter out;
    private final PrintWriter err;
    private long printed;
    private boolean damaged;

    Lines(PrintWriter out, PrintWriter err) {
      this.out = out;
      this.err = err;
    }

    @Override
    public boolean record(StoredMessage message) {
      return print(json ? DumpText.json(message) : DumpText.line(message));
    }

    @Override
    public boolean unit(DumpedUnit unit) {
      return print(json ? DumpText.json(unit) : DumpText.line(unit));
    }

    @Override
    public void damage(Path path, long place, String what) {
      damaged = true;
      progress.clear(err);
      err.println("damage: " + path + " at " + place + ": " + what);
    }

    private boolean print(String line) {
      out.println(line);
      printed++;
      return printed < count && (printed % LOOK_EVERY != 0 || !out.checkError());
    }
  }
}
