package io.metaq.client;

import java.nio.file.Path;

/** Where a client keeps the progress of its broadcasting groups. */
record LocalFolder(Path path) {
  static LocalFolder of(MetaqClientOptions options) {
    return new LocalFolder(options.getLocalOffsets().resolve(options.validInstanceName()));
  }
}
