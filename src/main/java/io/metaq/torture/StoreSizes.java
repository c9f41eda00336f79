package io.metaq.torture;

import io.metaq.store.StoreOptions;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * Sizes of a store's files: small, so that they roll often.
 *
 * @param logFile bytes
 * @param queueFile bytes
 * @param indexSlots of a file of the key index
 * @param indexEntries of such a file
 */
record StoreSizes(int logFile, int queueFile, int indexSlots, int indexEntries) {
  static StoreSizes random(RandomGenerator random) {
    return new StoreSizes(
        64 * 1024 << random.nextInt(5), 20 * random.nextInt(20, 400), random.nextInt(16, 128), random.nextInt(100, 1_000));
  }

  StoreOptions options(Path root) {
    return StoreOptions.of(root).withSizes(logFile, queueFile, indexSlots, indexEntries);
  }
}
