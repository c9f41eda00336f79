package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewBeginningTest {
  private static final long POSITION = 5L * TestStore.LOG_FILE;

  @TempDir Path root;

  @Test
  void shouldBeginAnEmptyStoreWhereTheMasterBegins() {
    TestStore.open(root).close();

    NewBeginning.order(TestStore.options(root), POSITION);

    try (TestStore store = TestStore.open(root)) {
      assertThat(store.store.log().appendedOffset()).isEqualTo(POSITION);
      assertThat(store.store.view().firstOffset()).isEqualTo(POSITION);
      assertThat(store.append("orders", 0, "first").phyOffset(0)).isEqualTo(POSITION);
    }
    assertThat(root.resolve("damaged")).doesNotExist();
  }

  @Test
  void shouldSetTheOldLogAsideAndTakeTheMasters() throws Exception {
    try (TestStore store = TestStore.open(root)) {
      store.append("orders", 0, "old");
      store.dispatch();
    }

    NewBeginning.order(TestStore.options(root), POSITION);

    try (TestStore store = TestStore.open(root)) {
      assertThat(store.store.log().appendedOffset()).isEqualTo(POSITION);
      assertThat(store.store.view().maxOffset("orders", 0)).isZero();
      try (TestStore other = TestStore.open(TestStore.options(root.resolve("other")))) {
        TestRecords record = other.append("orders", 0, "new");
        ByteBuffer bytes = ByteBuffer.allocateDirect(record.size(0)).put(0, record.bytes(), 0, record.size(0));
        bytes.putLong(28, POSITION).putLong(20, 77);

        assertThat(store.store.logCopy().append(POSITION, bytes, record.size(0))).isEmpty();
      }
      store.dispatch();
      assertThat(store.bodies("orders", 0)).containsExactly("new");
      assertThat(store.store.view().minOffset("orders", 0)).isEqualTo(77);
    }
    assertThat(root.resolve("damaged/commitlog/00000000000000000000")).exists();
    assertThat(root.resolve("damaged/consumequeue/orders/0")).exists();
    assertThat(Files.list(root.resolve("commitlog"))).hasSize(1);
  }

  @Test
  void shouldFinishWhatACrashInterrupted() throws Exception {
    try (TestStore store = TestStore.open(root)) {
      store.append("orders", 0, "old");
      store.dispatch();
    }
    NewBeginning.order(TestStore.options(root), POSITION);
    Files.createDirectories(root.resolve("damaged"));
    Files.move(root.resolve("commitlog"), root.resolve("damaged/commitlog"));

    try (TestStore store = TestStore.open(root)) {
      assertThat(store.store.log().appendedOffset()).isEqualTo(POSITION);
      assertThat(store.store.view().maxOffset("orders", 0)).isZero();
    }
    try (TestStore store = TestStore.open(root)) {
      assertThat(store.store.log().appendedOffset()).as("the order is used up").isEqualTo(POSITION);
    }
  }

  @Test
  void shouldKeepAFileOfWhichOnlyTheBeginningIsZero() throws Exception {
    try (TestStore store = TestStore.open(root)) {
      store.append("orders", 0, "x".repeat(9_000));
    }
    Path file = root.resolve("commitlog/00000000000000000000");
    byte[] left = Files.readAllBytes(file);
    Arrays.fill(left, 0, 4096, (byte) 0);
    Files.write(file, left);

    NewBeginning.order(TestStore.options(root), POSITION);

    TestStore.open(root).close();
    assertThat(root.resolve("damaged/commitlog/00000000000000000000")).hasBinaryContent(left);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1", "99999999999999999999"})
  void shouldGoOnWithTheOldLogWhenTheOrderCannotBeRead(String order) throws Exception {
    try (TestStore store = TestStore.open(root)) {
      store.append("orders", 0, "old");
    }
    Files.writeString(root.resolve("begin-anew"), order);

    try (TestStore store = TestStore.open(root)) {
      assertThat(store.bodies("orders", 0)).containsExactly("old");
      assertThat(store.store.report().warnings()).singleElement().asString().contains("begin-anew is no order");
    }
    assertThat(root.resolve("damaged/begin-anew")).hasContent(order);
  }

  @Test
  void shouldRefuseAPositionAtWhichNoFileBegins() {
    assertThatThrownBy(() -> NewBeginning.order(TestStore.options(root), POSITION + 1))
        .isInstanceOf(StoreException.class).hasMessageContaining("no multiple of mappedFileSizeCommitLog=" + TestStore.LOG_FILE);
  }
}
