package io.metaq.store;

import io.metaq.codec.record.StoredMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A store opened in a test, with small files, driven by the test's own thread. */
final class TestStore implements AutoCloseable {
  static final int LOG_FILE = 64 * 1024;
  static final int QUEUE_FILE = 2000;

  final TestClock clock;
  final MessageStore store;

  private TestStore(MessageStore store, TestClock clock) {
    this.store = store;
    this.clock = clock;
  }

  static StoreOptions options(Path root) {
    return StoreOptions.of(root).withSizes(LOG_FILE, QUEUE_FILE, 64, 512);
  }

  static TestStore open(Path root) {
    return open(options(root));
  }

  static TestStore open(StoreOptions options) {
    TestClock clock = new TestClock();
    return new TestStore(MessageStore.open(options, clock, line -> { }), clock);
  }

  static TestStore open(StoreOptions options, Forcer forcer, DiskSpace.Probe probe) {
    return open(options, Disk.real(), forcer, probe);
  }

  static TestStore open(StoreOptions options, Disk disk, Forcer forcer, DiskSpace.Probe probe) {
    TestClock clock = new TestClock();
    return new TestStore(MessageStore.open(options, clock, line -> { }, disk, forcer, probe), clock);
  }

  TestRecords append(TestRecords records) {
    store.log().append(records);
    return records;
  }

  TestRecords append(String topic, int queueId, String body) {
    return append(new TestRecords().add(topic, queueId, body));
  }

  TestRecords append(String topic, int queueId, String body, Map<String, String> properties) {
    return append(new TestRecords().add(topic, queueId, body, properties));
  }

  /** Dispatches all that is readable. */
  void dispatch() {
    while (store.dispatcher().dispatch(1 << 20, (topic, queueId, maxOffset) -> { })) {
      // Until nothing is left.
    }
  }

  /** What the verticles do by and by: force, write queues, checkpoint. */
  void checkpoint() {
    clock.advance(6000);
    store.flusher().flush();
    dispatch();
    store.dispatcher().flushQueues();
    store.checkpointer().checkpoint();
  }

  /** Copies the files as they are now: what a kill of the process would leave. */
  static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static void delete(Path path) {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Every message of a queue, from its first to its last, checking that offsets are dense. */
  List<StoredMessage> readAll(String topic, int queueId) {
    List<StoredMessage> messages = new ArrayList<>();
    long at = store.view().minOffset(topic, queueId);
    long first = at;
    while (at < store.view().maxOffset(topic, queueId)) {
      GetResult result = store.view().get(topic, queueId, at, 32, 1 << 20, tagsCode -> true);
      messages.addAll(messages(result));
      result.release();
      at = result.nextOffset();
    }
    for (int i = 0; i < messages.size(); i++) {
      if (messages.get(i).queueOffset() != first + i) {
        throw new AssertionError("message " + i + " has queue offset " + messages.get(i).queueOffset());
      }
    }
    return messages;
  }

  List<String> bodies(String topic, int queueId) {
    return readAll(topic, queueId).stream().map(message -> new String(message.body())).toList();
  }

  static List<StoredMessage> messages(GetResult result) {
    List<StoredMessage> messages = new ArrayList<>();
    for (RecordSlice slice : result.slices()) {
      int at = 0;
      while (at < slice.size()) {
        StoredMessage message = StoredMessage.decode(slice.bytes(), at);
        messages.add(message);
        at += message.size();
      }
    }
    return messages;
  }

  @Override
  public void close() {
    store.close();
  }
}
