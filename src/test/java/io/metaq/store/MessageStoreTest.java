package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.record.StoredMessage;
import io.metaq.model.AppendStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void shouldTellWithOneSentenceWhenTheFolderCannotBeMade() throws Exception {
    Path file = Files.writeString(root.resolve("file"), "no folder");

    assertThatThrownBy(() -> TestStore.open(file.resolve("store")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be used");
  }
}
