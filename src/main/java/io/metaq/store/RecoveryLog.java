package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What recovery says: progress while it lasts, warnings for the report, and where it puts files that it finds damaged. */
@OwnedBy("whoever opens the store")
final class RecoveryLog {
  private final Disk disk;
  private final Path root;
  private final Path damaged;
  private final Consumer<String> progress;
  private final List<String> warnings = new ArrayList<>();

  RecoveryLog(StoreOptions options, Disk disk, Consumer<String> progress) {
    this.disk = disk;
    this.root = options.root();
    this.damaged = options.damaged();
    this.progress = progress;
  }

  void progress(String line) {
    progress.accept(line);
  }

  void warn(String sentence) {
    warnings.add(sentence);
    progress.accept("warning: " + sentence);
  }

  List<String> warnings() {
    return warnings;
  }

  /** Moves a file or folder of the store out of the way, into the folder {@code damaged}; nothing is deleted. */
  void setAside(Path path, String why) throws IOException {
    Path target = freeTarget(root.relativize(path).toString());
    disk.makeFolder(target.getParent());
    disk.move(path, target);
    warn(root.relativize(path) + " " + why + "; it was moved to " + root.relativize(target));
  }

  /** A path in the folder {@code damaged} that does not exist yet. */
  Path freeTarget(String name) {
    Path target = damaged.resolve(name);
    for (int n = 1; Files.exists(target, LinkOption.NOFOLLOW_LINKS); n++) {
      target = damaged.resolve(name + "." + n);
    }
    return target;
  }
}
