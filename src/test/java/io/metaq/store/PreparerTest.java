package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.AppendStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PreparerTest {
  private static final int MIB = 1 << 20;

  @TempDir
  Path root;

  private final TestProbe probe = new TestProbe();

  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void shouldKeepSomeSpaceReadyAheadOfTheLog(FlushMode mode) {
    try (TestStore test = open(mode)) {
      assertThat(ahead(test)).isGreaterThanOrEqualTo(4 * MIB).isLessThan(5 * MIB);
      assertThat(test.store.log().preparationWanted()).isFalse();

      append(test, 3 * MIB);
      assertThat(test.store.log().preparationWanted()).isTrue();
      test.store.preparer().prepare();

      assertThat(ahead(test)).isGreaterThanOrEqualTo(4 * MIB);
      assertThat(test.store.log().preparationWanted()).isFalse();
    }
  }

  @Test
  void shouldLookFurtherAheadWhenTheWriterIsFast() {
    try (TestStore test = open(FlushMode.ASYNC_FLUSH)) {
      append(test, 3 * MIB);
      test.store.preparer().prepare();
      assertThat(ahead(test)).isGreaterThanOrEqualTo(8 * MIB);

      append(test, 5 * MIB);
      test.clock.advance(5000);
      test.store.preparer().prepare();

      assertThat(ahead(test)).isLessThan(9 * MIB);
    }
  }

  @Test
  void shouldMakeTheNextFileInTime() {
    try (TestStore test = open(FlushMode.ASYNC_FLUSH)) {
      append(test, 14 * MIB);
      test.store.preparer().prepare();

      assertThat(root.resolve("commitlog").resolve(FileNames.ofStart(16 * MIB))).exists();
    }
  }

  @Test
  void shouldMeasureTheDiskAndLeaveTheLastSpaceToWhatMustBeWritten() {
    probe.usedPercent = 90;
    try (TestStore test = open(FlushMode.ASYNC_FLUSH)) {
      assertThat(ahead(test)).isZero();

      assertThat(append(test, 1000)).isEqualTo(AppendStatus.UNAVAILABLE);
      probe.usedPercent = 50;
      test.store.preparer().prepare();

      assertThat(append(test, 1000)).isEqualTo(AppendStatus.STORED);
      assertThat(ahead(test)).isGreaterThanOrEqualTo(3 * MIB);
    }
  }

  @Test
  void shouldGoOnBehindAWriterThatOvertookIt() throws Exception {
    try (TestStore test = open(FlushMode.ASYNC_FLUSH)) {
      append(test, 7 * MIB);
      test.append("t", 0, "small");
      test.store.preparer().prepare();
      test.append("t", 0, "mapped");
      test.dispatch();

      assertThat(test.bodies("t", 0)).endsWith("small", "mapped");
    }
    assertThat(Files.size(root.resolve("commitlog").resolve(FileNames.ofStart(0)))).isEqualTo(16 * MIB);
  }

  private TestStore open(FlushMode mode) {
    StoreOptions options = StoreOptions.of(root).withSizes(16 * MIB, TestStore.QUEUE_FILE, 64, 512).withFlushMode(mode);
    return TestStore.open(options, Forcer.of(mode), probe);
  }

  private static AppendStatus append(TestStore test, int bytes) {
    AppendStatus status = AppendStatus.STORED;
    for (int left = bytes; left > 0; left -= MIB) {
      status = test.append(new TestRecords().add("big", 0, new byte[Math.min(left, MIB)], Map.of())).status(0);
    }
    return status;
  }

  private static long ahead(TestStore test) {
    return test.store.preparer().preparedOffset() - test.store.log().appendedOffset();
  }
}
