package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.record.StoredMessage;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageStoreTest {
  @TempDir
  Path root;

  @Test
  void shouldReadBackWhatWasAppendedInOrderAndWithItsNumbers() {
    try (TestStore test = TestStore.open(root)) {
      TestRecords records = new TestRecords();
      for (int i = 0; i < 2000; i++) {
        records.add("orders", i % 3, "body " + i, Map.of("TAGS", "tag" + i % 5));
      }

      test.append(records);
      test.dispatch();

      assertThat(records.statuses()).containsOnly(AppendStatus.STORED);
      List<StoredMessage> messages = test.readAll("orders", 1);
      assertThat(messages).hasSize(667);
      for (int i = 0; i < messages.size(); i++) {
        assertThat(messages.get(i).queueOffset()).isEqualTo(i);
        assertThat(messages.get(i).phyOffset()).isEqualTo(records.phyOffset(3 * i + 1));
        assertThat(new String(messages.get(i).body())).isEqualTo("body " + (3 * i + 1));
      }
    }
  }

  @Test
  void shouldKeepTheMarkOfAnUncleanEndWhenAQueueCannotBeWritten() throws Exception {
    try (TestStore test = TestStore.open(root)) {
      test.append("orders", 0, "derived in memory only");
      test.dispatch();
      Files.writeString(root.resolve("consumequeue/orders"), "in the way");
    }

    assertThat(TestStore.options(root).abortFile()).exists();
  }

  /** A process that embeds a broker lives on, and tries again. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldKeepNothingMappedWhenThereIsNoMemoryForItsParts() throws IOException {
    try (TestStore test = TestStore.open(root)) {
      test.append("orders", 0, "one");
      test.dispatch();
    }
    Clock exhausted = new Clock() {
      @Override
      public long millis() {
        return 0;
      }

      @Override
      public long nanos() {
        throw new OutOfMemoryError("no direct buffer");
      }
    };

    assertThatThrownBy(() -> MessageStore.open(TestStore.options(root), exhausted, line -> { })).isInstanceOf(OutOfMemoryError.class);

    assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain(root.toString());
    TestStore.open(root).close();
  }

  @Test
  void shouldGoOnWhereItEndedWhenItIsOpenedAgain() {
    List<String> expected = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      try (TestStore test = TestStore.open(root)) {
        for (int i = 0; i < 500; i++) {
          TestRecords appended = test.append("orders", 0, "round " + round + " message " + i);
          assertThat(appended.queueOffset(0)).isEqualTo(expected.size());
          expected.add("round " + round + " message " + i);
        }
      }
    }

    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).isEqualTo(expected);
    }
  }

  @Test
  void shouldRefuseTheSecondOpenOfAFolder() {
    try (TestStore test = TestStore.open(root)) {
      assertThatThrownBy(() -> TestStore.open(root))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is in use by another process");
      assertThat(test.append("orders", 0, "still working").status(0)).isEqualTo(AppendStatus.STORED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"commitlog", "consumequeue", "index", "config"})
  void shouldRefuseAFileInThePlaceOfAFolderAndLeaveItThere(String part) throws IOException {
    TestStore.open(root).close();
    if (Files.exists(root.resolve(part))) {
      TestStore.delete(root.resolve(part));
    }
    Files.writeString(root.resolve(part), "kept");

    assertThatThrownBy(() -> TestStore.open(root))
        .isInstanceOf(StoreException.class).hasMessageContaining(root.resolve(part) + " is a file").hasMessageNotContaining("\n");
    assertThat(root.resolve(part)).hasContent("kept");
  }

  @ParameterizedTest
  @CsvSource({"1048576000, 0, diskSpaceCleanForciblyFreeBytes", "0, 9223372036854775807, diskSpaceWarningLevelFreeBytes"})
  void shouldRefuseAMarkThatTheWholeDiskIsTooSmallForAndDeleteNothing(long cleanBytes, long fullBytes, String key) {
    try (TestStore test = TestStore.open(root)) {
      for (int i = 0; i < 40; i++) {
        test.append("orders", 0, "x".repeat(4_000));
      }
    }
    DiskMarks marks = new DiskMarks(75, 85, cleanBytes, 90, fullBytes);
    StoreOptions options = TestStore.options(root).withRetention(new RetentionOptions(1_000_000, Set.of(4), 0, true, marks));

    assertThatThrownBy(() -> TestStore.open(options, Forcer.of(options.flushMode()), new TestProbe()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(key).hasMessageContaining("the whole disk of data has 1048576000 bytes");
    try (TestStore test = TestStore.open(root)) {
      assertThat(test.bodies("orders", 0)).hasSize(40);
    }
  }

  @Test
  void shouldTellWithOneSentenceWhenTheFolderCannotBeMade() throws Exception {
    Path file = Files.writeString(root.resolve("file"), "no folder");

    assertThatThrownBy(() -> TestStore.open(file.resolve("store")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be used");
  }
}
