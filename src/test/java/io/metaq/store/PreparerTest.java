package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.AppendStatus;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  void shouldLeaveTheLogSparseWhileItGrowsTooFastButMakeTheNextFileInTime() {
    try (TestStore test = open(FlushMode.ASYNC_FLUSH)) {
      long prepared = test.store.preparer().preparedOffset();

      append(test, 10 * MIB);
      test.clock.advance(50);
      test.store.preparer().prepare();

      assertThat(test.store.preparer().preparedOffset()).isEqualTo(prepared);
      assertThat(root.resolve("commitlog").resolve(FileNames.ofStart(16 * MIB))).exists();
      assertThat(test.store.log().preparationWanted()).as("a moment later").isFalse();
    }
  }

  @Test
  void shouldFillTheLogAgainWhenItGrowsSlower() {
    try (TestStore test = open(FlushMode.ASYNC_FLUSH)) {
      append(test, 10 * MIB);
      test.clock.advance(50);
      test.store.preparer().prepare();
      assertThat(ahead(test)).isNegative();

      append(test, 4 * MIB);
      assertThat(test.store.log().preparationWanted()).isTrue();
      test.clock.advance(500);
      test.store.preparer().prepare();

      assertThat(ahead(test)).isGreaterThanOrEqualTo(8 * MIB);
    }
  }

  @Test
  void shouldFillAheadHoweverFastTheLogGrowsUnderSyncFlush() {
    try (TestStore test = open(FlushMode.SYNC_FLUSH)) {
      append(test, 10 * MIB);
      test.clock.advance(50);
      test.store.preparer().prepare();

      assertThat(ahead(test)).isGreaterThanOrEqualTo(8 * MIB);
    }
  }

  @Test
  void shouldForceAheadThroughDescriptorsOfTheirOwnSoThatTheFlusherHearsOfEachFailedWrite() {
    ForcesDisk disk = new ForcesDisk();
    try (TestStore test = open(FlushMode.SYNC_FLUSH, disk)) {
      append(test, 3 * MIB);
      disk.buffers.clear();
      test.store.preparer().prepare();

      Set<MappedByteBuffer> mappings = Collections.newSetFromMap(new IdentityHashMap<>());
      mappings.addAll(disk.buffers);
      assertThat(mappings).as("the log's own would be the same each time").hasSizeGreaterThan(1).hasSameSizeAs(disk.buffers);
    }
  }

  @Test
  void shouldLeaveBlocksToTheForceOfTheLogWhereNobodyWaitsForIt() {
    ForcesDisk disk = new ForcesDisk();
    try (TestStore test = open(FlushMode.ASYNC_FLUSH, disk)) {
      disk.buffers.clear();

      append(test, 3 * MIB);
      test.clock.advance(900);
      test.store.preparer().prepare();

      assertThat(ahead(test)).isPositive();
      assertThat(disk.buffers).isEmpty();
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
      test.append("t", 0, "behind");
      test.dispatch();

      assertThat(test.bodies("t", 0)).endsWith("small", "behind");
    }
    assertThat(Files.size(root.resolve("commitlog").resolve(FileNames.ofStart(0)))).isEqualTo(16 * MIB);
  }

  private TestStore open(FlushMode mode) {
    return open(mode, Disk.real());
  }

  private TestStore open(FlushMode mode, Disk disk) {
    StoreOptions options = StoreOptions.of(root).withSizes(16 * MIB, TestStore.QUEUE_FILE, 64, 512).withFlushMode(mode);
    return TestStore.open(options, disk, Forcer.of(mode), probe);
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

  /** Notes which mappings are forced. */
  private static final class ForcesDisk extends TestDisk {
    private final List<MappedByteBuffer> buffers = new ArrayList<>();

    @Override
    public void force(Path file, MappedByteBuffer bytes, int from, int to) throws IOException {
      buffers.add(bytes);
      super.force(file, bytes, from, to);
    }
  }
}
