package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.metaq.codec.record.StoredMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every file of a store, damaged in every way, after a clean and after an unclean end. The store opens and says what it did, or it refuses
 * in one sentence and touches nothing; whatever it serves is a message that was sent, and what it could not read is kept.
 */
class DamagedFilesTest {
  private static final int LOG_FILE = 8 * 1024;
  private static final int MESSAGES = 120;
  private static final int CHECKPOINTED = 100;
  private static final int QUEUES = 2;
  private static final List<String> TOPICS = List.of("orders", "payments");
  private static final Random RANDOM = new Random(42);

  @TempDir
  private static Path base;

  /** Every message as it lies in the log, by topic, queue and offset. */
  private static final Map<String, byte[]> SENT = new TreeMap<>();
  /** The log file of each, by the same key. */
  private static final Map<String, String> LOG_FILE_OF = new TreeMap<>();

  @TempDir
  private Path folder;

  /** What happened to a file. */
  enum Damage {
    RANDOM_BYTES, SHORTER, EMPTY, FOLDER, BROKEN_LINK, READ_ONLY, MISSING;

    /** Does it; returns the bytes that must not be lost, null when there are none. */
    byte[] to(Path file) throws IOException {
      byte[] content = Files.readAllBytes(file);
      switch (this) {
        case RANDOM_BYTES -> {
          RANDOM.nextBytes(content);
          return Files.readAllBytes(Files.write(file, content));
        }
        case SHORTER -> {
          return Files.readAllBytes(Files.write(file, Arrays.copyOf(content, content.length / 2)));
        }
        case EMPTY -> Files.write(file, new byte[0]);
        case READ_ONLY -> assumeTrue(file.toFile().setWritable(false) && !Files.isWritable(file), "root may write to every file");
        default -> {
          Files.delete(file);
          if (this == FOLDER) {
            Files.writeString(Files.createDirectory(file).resolve("inside"), "kept");
            return "kept".getBytes(StandardCharsets.UTF_8);
          }
          if (this == BROKEN_LINK) {
            Files.createSymbolicLink(file, Path.of("/nowhere/at/all"));
          }
        }
      }
      return null;
    }
  }

  @BeforeAll
  static void writeStores() {
    Path work = base.resolve("work");
    try (TestStore test = open(work)) {
      for (int i = 0; i < MESSAGES; i++) {
        test.append(TOPICS.get(i % 2), i / 2 % QUEUES, String.format("%-300s", "message " + i), Map.of("KEYS", "k" + i));
        if (i == MESSAGES / 2 || i == CHECKPOINTED - 1) {
          test.checkpoint();
        }
      }
      test.dispatch();
      for (String topic : TOPICS) {
        for (int queueId = 0; queueId < QUEUES; queueId++) {
          for (StoredMessage message : test.readAll(topic, queueId)) {
            String key = key(topic, queueId, message.queueOffset());
            SENT.put(key, recordAt(test, message.phyOffset()));
            LOG_FILE_OF.put(key, FileNames.ofStart(message.phyOffset() / LOG_FILE * LOG_FILE));
          }
        }
      }
      TestStore.copy(work, base.resolve("killed"));
    }
    TestStore.copy(work, base.resolve("closed"));
  }

  static Stream<Arguments> cases() throws IOException {
    List<Arguments> cases = new ArrayList<>();
    for (String end : List.of("closed", "killed")) {
      try (Stream<Path> files = Files.walk(base.resolve(end))) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          for (Damage damage : Damage.values()) {
            cases.add(arguments(end, base.resolve(end).relativize(file).toString(), damage));
          }
        }
      }
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "{0}: {1} {2}")
  @MethodSource("cases")
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldServeOnlyWhatWasSentOrRefuseAndKeepWhatItCannotRead(String end, String file, Damage damage) throws IOException {
    Path root = folder.resolve("store");
    TestStore.copy(base.resolve(end), root);
    byte[] kept = damage.to(root.resolve(file));
    Map<String, String> before = contents(root);

    Map<String, byte[]> sent = new TreeMap<>(SENT);
    List<String> warnings;
    try (TestStore test = open(root)) {
      warnings = test.store.report().warnings();
      assertServed(test, SENT, end, file, damage);
      sent.putAll(sendOn(test, end, file));
    } catch (StoreException refused) {
      assertThat(refused.getMessage()).as("%s: %s %s", end, file, damage).contains(root.resolve(file).toString()).doesNotContain("\n").hasSizeLessThan(600);
      assertThat(contents(root)).as("%s: %s %s", end, file, damage).isEqualTo(before);
      return;
    }

    assertThat(isKept(root, file, kept)).as("%s: %s %s: the damaged bytes are still there", end, file, damage).isTrue();
    assertThat(warnings).allSatisfy(warning -> assertThat(warning).doesNotContain("\n"));
    if (mustBeTold(end, file, damage)) {
      assertThat(warnings).as("%s: %s %s: a clear line", end, file, damage).isNotEmpty();
    }
    try (TestStore again = open(root)) {
      assertServed(again, sent, end, file, damage);
    }
  }

  /** Not told: what a kill may leave, what retention may take away, and the content of marks, which nobody reads. */
  private static boolean mustBeTold(String end, String file, Damage damage) {
    boolean killed = end.equals("killed");
    return switch (damage) {
      case READ_ONLY, MISSING -> false;
      case FOLDER, BROKEN_LINK -> true;
      case RANDOM_BYTES -> !file.equals("abort") && !file.equals("lock");
      case SHORTER -> !file.equals("abort") && !file.equals("lock") && !(killed && file.startsWith("commitlog/"));
      case EMPTY -> !file.equals("abort") && !file.equals("lock")
          && !(killed && (file.startsWith("commitlog/") || file.startsWith("consumequeue/")));
    };
  }

  private static void assertServed(
      TestStore test, Map<String, byte[]> sent, String end, String damagedFile, Damage damage) {
    for (String topic : TOPICS) {
      for (int queueId = 0; queueId < QUEUES; queueId++) {
        Map<String, byte[]> served = pullAll(test, topic, queueId);
        served.forEach((key, bytes) -> assertThat(bytes).as("%s: %s %s: %s", end, damagedFile, damage, key).isEqualTo(sent.get(key)));
        String prefix = topic + "/" + queueId + "/";
        LOG_FILE_OF.forEach((key, logFile) -> {
          if (key.startsWith(prefix) && !mayBeLost(end, damagedFile, "commitlog/" + logFile)) {
            assertThat(served.keySet()).as("%s: %s %s: what is not in the damaged file", end, damagedFile, damage).contains(key);
          }
        });
      }
    }
    for (int i = 0; i < MESSAGES; i++) {
      for (RecordSlice found : test.store.view().byKey(TOPICS.get(i % 2), "k" + i, 10, 0, Long.MAX_VALUE, KeyKind.ANY)) {
        StoredMessage message = StoredMessage.decode(found.bytes(), 0);
        assertThat(bytesOf(found)).isEqualTo(SENT.get(key(TOPICS.get(i % 2), message.queueId(), message.queueOffset())));
        found.release();
      }
    }
  }

  /** What the damaged file held; and after a kill what lies behind damage in the part that no checkpoint covers: the log ends there. */
  private static boolean mayBeLost(String end, String damagedFile, String logFile) {
    return damagedFile.equals(logFile)
        || end.equals("killed") && damagedFile.startsWith("commitlog/") && logFile.compareTo(damagedFile) > 0
            && damagedFile.compareTo("commitlog/" + LOG_FILE_OF.get(key(TOPICS.get(0), 0, CHECKPOINTED / 4 - 1))) >= 0;
  }

  private static Map<String, byte[]> pullAll(TestStore test, String topic, int queueId) {
    Map<String, byte[]> served = new TreeMap<>();
    long at = test.store.view().minOffset(topic, queueId);
    while (at < test.store.view().maxOffset(topic, queueId)) {
      try {
        GetResult result = test.store.view().get(topic, queueId, at, 1, 1 << 20, tagsCode -> true);
        for (RecordSlice slice : result.slices()) {
          // It is behind places without a message, and the next offset right behind it.
          served.put(key(topic, queueId, result.nextOffset() - 1), bytesOf(slice));
        }
        result.release();
        assertThat(result.nextOffset()).isGreaterThan(at);
        at = result.nextOffset();
      } catch (StoreException hole) {
        assertThat(hole.getMessage()).contains("metaq verify").doesNotContain("\n");
        at++;
      }
    }
    return served;
  }

  /** Sends one more message to each queue: a number is never given twice, and what is sent now can be read. */
  private static Map<String, byte[]> sendOn(TestStore test, String end, String damagedFile) {
    Map<String, byte[]> sent = new TreeMap<>();
    for (String topic : TOPICS) {
      for (int queueId = 0; queueId < QUEUES; queueId++) {
        TestRecords record = test.append(topic, queueId, "next");
        test.dispatch();

        long next = record.queueOffset(0);
        int known = end.equals("killed") && damagedFile.startsWith("commitlog/") ? CHECKPOINTED : MESSAGES;
        assertThat(next).isGreaterThanOrEqualTo(known / TOPICS.size() / QUEUES);
        byte[] stored = recordAt(test, record.phyOffset(0));
        assertThat(pullAll(test, topic, queueId)).containsEntry(key(topic, queueId, next), stored);
        sent.put(key(topic, queueId, next), stored);
      }
    }
    return sent;
  }

  private static boolean isKept(Path root, String damagedFile, byte[] kept) {
    if (kept == null || List.of("lock", "abort").contains(damagedFile)) {
      return true;
    }
    String wanted = new String(kept, StandardCharsets.ISO_8859_1).replaceAll("\0+$", "");
    Map<String, String> contents = contents(root);
    String tailOf = "damaged/" + damagedFile + "-from-";
    return contents.entrySet().stream().anyMatch(entry -> entry.getValue().startsWith(wanted)
        || entry.getKey().startsWith(tailOf) && wanted.equals(
            contents.get(damagedFile).substring(0, Integer.parseInt(entry.getKey().substring(tailOf.length()))) + entry.getValue()));
  }

  /** What lies under a folder, by relative path, the lock apart. */
  private static Map<String, String> contents(Path root) {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> !path.endsWith("lock")).toList()) {
        String content = Files.isSymbolicLink(file) ? Files.readSymbolicLink(file).toString()
            : Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) ? "folder"
            : new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        contents.put(root.relativize(file).toString(), content);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return contents;
  }

  private static TestStore open(Path root) {
    StoreOptions options = StoreOptions.of(root).withSizes(LOG_FILE, 400, 16, 64);
    return TestStore.open(options, new HastyDisk(), (segment, from, to) -> { }, new TestProbe());
  }

  private static byte[] recordAt(TestStore test, long phyOffset) {
    RecordSlice slice = test.store.view().recordAt(phyOffset).orElseThrow();
    byte[] bytes = bytesOf(slice);
    slice.release();
    return bytes;
  }

  private static byte[] bytesOf(RecordSlice slice) {
    byte[] bytes = new byte[slice.size()];
    slice.bytes().duplicate().get(slice.bytes().position(), bytes);
    return bytes;
  }

  private static String key(String topic, int queueId, long queueOffset) {
    return String.format("%s/%d/%03d", topic, queueId, queueOffset);
  }

  /** Forces nothing: no power is cut here, and there are hundreds of cases. */
  private static final class HastyDisk extends TestDisk {
    @Override
    public void force(Path file, FileChannel channel, boolean attributesToo) {
      // Nothing to wait for.
    }

    @Override
    public void force(Path file, MappedByteBuffer bytes, int from, int to) {
      // Nothing to wait for.
    }

    @Override
    public void forceNames(Path folder) {
      // Nothing to wait for.
    }
  }
}
