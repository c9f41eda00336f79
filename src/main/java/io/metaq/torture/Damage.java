package io.metaq.torture;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.store.QueueEndsText;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.codec.store.QueueEndsText.Range;
import io.metaq.codec.store.QueueUnit;
import io.metaq.model.OwnedBy;
import io.metaq.store.StoreOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Tears the files of a store whose broker was killed. What is derived may be deleted, cut short or replaced by random bytes, for it must
 * be made again; a queue also gets random units behind what the last checkpoint covers. The log is torn only behind its last acknowledged
 * message, because what the device has promised to keep it keeps.
 */
@OwnedBy("the thread of the round")
final class Damage {
  private static final int QUEUE_ONE_IN = 4;
  private static final int LONGEST_TAIL = 10_000;

  private final StoreOptions options;
  private final RandomGenerator random;
  private int done;

  Damage(Path store, StoreSizes sizes, RandomGenerator random) {
    this.options = sizes.options(store);
    this.random = random;
  }

  /**
   * Does some damage.
   *
   * @param acknowledged tells which messages must be left alone in the log
   * @return how many files were damaged
   */
  int doSome(LongPredicate acknowledged) throws IOException {
    Map<String, Map<Integer, Range>> covered = noted();
    tearLog(acknowledged);
    for (Path file : filesBelow(options.consumeQueues())) {
      if (random.nextInt(QUEUE_ONE_IN) == 0) {
        tearQueue(file, covered);
      }
    }
    for (Path file : filesBelow(options.index())) {
      if (random.nextBoolean()) {
        tear(file);
      }
    }
    if (random.nextBoolean()) {
      tear(options.checkpointFile());
    }
    if (random.nextBoolean()) {
      tear(options.queueEndsFile());
    }
    return done;
  }

  /** The note of the last checkpoint, as the broker that starts next may have it. */
  private Map<String, Map<Integer, Range>> noted() throws IOException {
    try {
      return Files.exists(options.queueEndsFile())
          ? QueueEndsText.decode(Files.readAllBytes(options.queueEndsFile())).queues() : new QueueEnds().queues();
    } catch (IOException unreadable) {
      throw new IOException("the note of a killed broker cannot be read: " + options.queueEndsFile(), unreadable);
    }
  }

  private void tearLog(LongPredicate acknowledged) throws IOException {
    List<Path> files = filesBelow(options.commitLog());
    Path torn = null;
    int from = 0;
    for (Path file : files) {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      long start = Long.parseLong(file.getFileName().toString());
      RecordCheck check = new RecordCheck(true);
      int at = 0;
      torn = torn == null ? file : torn;
      while (check.check(bytes, at, bytes.capacity(), start + at) == RecordCheck.Verdict.RECORD) {
        byte[] body = StoredMessage.decode(bytes, at).body();
        at += check.size();
        // A record that is none of ours, of a system topic, is left alone too.
        if (Payload.numberOf(body).isEmpty() || acknowledged.test(Payload.numberOf(body).getAsLong())) {
          torn = file;
          from = at;
        }
      }
    }
    if (torn != null) {
      int length = (int) Math.min(Files.size(torn) - from, random.nextInt(LONGEST_TAIL));
      if (length > 0) {
        overwrite(torn, from, length);
      }
    }
  }

  private void tearQueue(Path file, Map<String, Map<Integer, Range>> covered) throws IOException {
    if (random.nextBoolean()) {
      tear(file);
      return;
    }
    String topic = file.getParent().getParent().getFileName().toString();
    int queueId = Integer.parseInt(file.getParent().getFileName().toString());
    Range range = covered.getOrDefault(topic, Map.of()).get(queueId);
    long start = Long.parseLong(file.getFileName().toString());
    long uncovered = Math.max(0, (range == null ? 0 : range.next()) * QueueUnit.SIZE - start);
    if (uncovered < Files.size(file)) {
      overwrite(file, (int) uncovered, (int) (Files.size(file) - uncovered));
    }
  }

  private void tear(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    int size = (int) Files.size(file);
    switch (random.nextInt(3)) {
      case 0 -> {
        Files.delete(file);
        done++;
      }
      case 1 -> {
        try (RandomAccessFile shorter = new RandomAccessFile(file.toFile(), "rw")) {
          shorter.setLength(random.nextInt(size + 1));
        }
        done++;
      }
      default -> overwrite(file, 0, size);
    }
  }

  private void overwrite(Path file, int at, int length) throws IOException {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(at);
      bytes.write(noise);
    }
    done++;
  }

  private static List<Path> filesBelow(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).filter(file -> file.getFileName().toString().matches("\\d+")).sorted().toList();
    }
  }
}
