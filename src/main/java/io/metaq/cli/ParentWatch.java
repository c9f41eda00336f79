package io.metaq.cli;

import java.io.IOException;
import java.io.InputStream;

/** Ends a node of {@code metaq cluster} when the process that started it is gone: its standard input ends then. */
final class ParentWatch {
  /** Set for the nodes. */
  static final String PROPERTY = "metaq.endWithParent";

  private ParentWatch() {}

  /** Begins to watch where the property asks for it. */
  static void begin() {
    if (Boolean.getBoolean(PROPERTY)) {
      Thread watch = new Thread(() -> endWith(System.in), "metaq-parent-watch");
      watch.setDaemon(true);
      watch.start();
    }
  }

  private static void endWith(InputStream parent) {
    try {
      while (parent.read() >= 0) {
        // Nobody says anything here; only the end counts.
      }
    } catch (IOException gone) {
      // As good as the end.
    }
    System.exit(0);
  }
}
