package io.metaq.cli;

import io.metaq.coordinator.ConfigCheck;
import io.metaq.launcher.Logging;
import io.metaq.model.Clock;
import io.metaq.store.DiskFault;
import io.metaq.store.StoreOptions;
import io.metaq.store.inspect.Inspection;
import io.metaq.store.inspect.StoreInspector;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Judges a store. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Reads every file of a store and tells whether it is sound, and what a broker would do about it at its next start.",
      "Changes nothing and takes no lock, so a broker may be at work meanwhile. Exit status: 0 sound, 1 damaged, 2 wrong usage."
    })
final class VerifyCommand implements Callable<Integer> {
  private static final int SOUND = 0;
  private static final int DAMAGED = 1;

  @Spec private CommandSpec spec;
  @Mixin private StoreFolder folder;
  @Mixin private ProgressLine progress;

  @Override
  public Integer call() {
    Logging.level("WARN");
    StoreOptions options = folder.options(spec);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      Inspection inspection = inspect(options, err);
      InspectionText.lines(inspection).forEach(out::println);
      out.flush();
      return inspection.sound() ? SOUND : DAMAGED;
    } catch (IOException | UncheckedIOException failure) {
      err.println("metaq: the store in " + options.root() + " cannot be read: " + DiskFault.reasonOf(failure));
    } catch (InternalError cut) {
      // What the JDK makes of touching a mapped file where it is no more.
      err.println("metaq: a file of the store in " + options.root() + " could not be read, or became shorter meanwhile");
    }
    err.flush();
    return DAMAGED;
  }

  private Inspection inspect(StoreOptions options, PrintWriter err) throws IOException {
    try {
      return new StoreInspector(options, (area, done, total) -> progress.show(err, Clock.system(),
          () -> "checking the " + area.words() + ": " + (total == 0 ? 100 : done * 100 / total) + " %"), ConfigCheck::faultOf).inspect();
    } finally {
      progress.clear(err);
    }
  }
}
