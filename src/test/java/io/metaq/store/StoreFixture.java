package io.metaq.store;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Stores on disk for tests of other packages, written by the real store with small files. */
public final class StoreFixture {
  public static final String TOPIC = "orders";
  public static final int QUEUES = 2;
  public static final int MESSAGES = 600;
  public static final long FIRST_STORED_MS = 1_700_000_000_000L;

  private StoreFixture() {}

  /** What the stores are written with. */
  public static StoreOptions options(Path root) {
    return TestStore.options(root);
  }

  /**
   * A store of several log and queue files that was closed in order: {@link #MESSAGES} messages in turn over {@link #QUEUES} queues, with
   * a tag and a key each, stored a second apart from {@link #FIRST_STORED_MS} on.
   */
  public static void writeClosed(Path root) {
    try (TestStore store = TestStore.open(root)) {
      fill(store);
    }
  }

  /** The same store as a kill of its process leaves it, some messages not yet in their queues' files. */
  public static void writeKilled(Path root, Path scratch) {
    try (TestStore store = TestStore.open(scratch)) {
      fill(store);
      store.checkpoint();
      store.append(TOPIC, 0, "after the checkpoint");
      store.dispatch();
      TestStore.copy(scratch, root);
    }
  }

  /** Opens a store and writes to it as a broker does, until {@code enough} says so or some 100,000 messages are stored. */
  public static void writeOn(StoreOptions options, BooleanSupplier enough) {
    try (TestStore store = TestStore.open(options)) {
      for (int i = 0; i < 5_000 && !enough.getAsBoolean(); i++) {
        TestRecords batch = new TestRecords();
        for (int n = 0; n < 20; n++) {
          batch.add(TOPIC, n % QUEUES, "message " + i + " " + "x".repeat(100), Map.of("KEYS", "key" + i));
        }
        store.append(batch);
        store.dispatch();
        if (i % 100 == 0) {
          store.checkpoint();
        }
      }
    }
  }

  private static void fill(TestStore store) {
    for (int i = 0; i < MESSAGES; i++) {
      store.clock.set(FIRST_STORED_MS + i * 1000L);
      store.append(TOPIC, i % QUEUES, "message " + i + " " + "x".repeat(100), Map.of("TAGS", "tag" + i % 3, "KEYS", "key" + i));
    }
    store.dispatch();
  }
}
