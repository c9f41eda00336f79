package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.store.TimerSlot;
import io.metaq.codec.store.TimerUnit;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimerIndexTest {
  private static final int SLOT_MS = 1_000;
  /** Room for 17 units and a marker. */
  private static final int LOG_FILE_BYTES = 900 + 20;
  private static final long NOW_MS = 1_700_000_000_000L;

  @TempDir
  private Path root;
  private TimerIndex index;
  private final TimerEntry entry = new TimerEntry();

  @BeforeEach
  void open() {
    index = TimerIndex.open(root, LOG_FILE_BYTES, SLOT_MS, Disk.real());
  }

  @AfterEach
  void close() {
    index.close();
  }

  @Test
  void shouldShowTheUnitsOfASlotNewestFirstAndNoOthers() throws IOException {
    add(NOW_MS + 5_001, 10);
    add(NOW_MS + 6_001, 20);
    add(NOW_MS + 5_999, 30);
    index.write();

    assertThat(records(NOW_MS + 5_000)).containsExactly(30L, 10L);
    assertThat(records(NOW_MS + 6_000)).containsExactly(20L);
    assertThat(records(NOW_MS + 7_000)).isEmpty();
    assertThat(index.waitingFrom(NOW_MS + 6_000).count()).isEqualTo(1);
    assertThat(index.waitingFrom(NOW_MS).firstMs()).hasValue(NOW_MS + 5_000);
    assertThat(index.waitingBetween(NOW_MS, NOW_MS + 6_000)).isEqualTo(2);
    assertThat(index.firstUsed(NOW_MS, NOW_MS + 9_000)).isEqualTo(NOW_MS + 5_000);
    assertThat(index.firstUsed(NOW_MS + 7_000, NOW_MS + 9_000)).isEqualTo(NOW_MS + 9_000);
  }

  @Test
  void shouldKeepAChainThatRunsThroughManyFiles() throws IOException {
    for (int i = 0; i < 3_000; i++) {
      add(NOW_MS + 1 + i % 3 * SLOT_MS, i);
    }
    index.write();

    assertThat(records(NOW_MS)).isEqualTo(descending(2_997, 3));
    reopen(index.end());
    assertThat(records(NOW_MS)).isEqualTo(descending(2_997, 3));
    assertThat(Files.list(root.resolve("timerlog"))).hasSizeGreaterThan(100);
  }

  @Test
  void shouldHaveThePlacesThatRocketmqReads() throws IOException {
    index.add(entry.set(NOW_MS + 5_001, NOW_MS, TimerUnit.ROLLED, 4_242, 300, "orders".hashCode()));
    index.write();

    ByteBuffer wheel = ByteBuffer.wrap(Files.readAllBytes(root.resolve("timerwheel")));
    ByteBuffer log = ByteBuffer.wrap(Files.readAllBytes(root.resolve("timerlog/00000000000000000000")));
    int slot = (int) ((NOW_MS + 5_000) / 1_000 % TimerSlot.COUNT) * TimerSlot.SIZE;
    assertThat(wheel.capacity()).isEqualTo(38_707_200);
    assertThat(wheel.getLong(slot)).isEqualTo((NOW_MS + 5_000) / 1_000);
    assertThat(wheel.getLong(slot + 8)).isZero();
    assertThat(wheel.getLong(slot + 16)).isZero();
    assertThat(wheel.getInt(slot + 24)).isEqualTo(1);
    assertThat(log.getInt(0)).isEqualTo(52);
    assertThat(log.getLong(4)).isEqualTo(-1);
    assertThat(log.getInt(12)).isEqualTo(1 | 2);
    assertThat(log.getLong(16) + log.getInt(24)).isEqualTo(NOW_MS + 5_001);
    assertThat(log.getLong(28)).isEqualTo(4_242);
    assertThat(log.getInt(36)).isEqualTo(300);
    assertThat(log.getInt(40)).isEqualTo("orders".hashCode());
  }

  @Test
  void shouldBringTheWheelUpToDateAfterAKillBetweenUnitsAndSlots() throws IOException {
    add(NOW_MS + 1, 1);
    index.write();
    long noted = index.end();
    byte[] wheel = Files.readAllBytes(root.resolve("timerwheel"));
    add(NOW_MS + 2, 2);
    add(NOW_MS + 1_001, 3);
    index.write();
    Files.write(root.resolve("timerwheel"), wheel);

    reopen(noted);

    assertThat(records(NOW_MS)).containsExactly(2L, 1L);
    assertThat(records(NOW_MS + 1_000)).containsExactly(3L);
    assertThat(index.waitingFrom(NOW_MS).count()).isEqualTo(3);
  }

  @Test
  void shouldCountNoUnitTwiceThatTheWheelKnows() throws IOException {
    add(NOW_MS + 1, 1);
    add(NOW_MS + 2, 2);
    index.write();

    reopen(0);

    assertThat(records(NOW_MS)).containsExactly(2L, 1L);
    assertThat(index.waitingFrom(NOW_MS).count()).isEqualTo(2);
  }

  @Test
  void shouldGoOnWithWhatIsLeftOfAChainWhoseEndAPowerCutTook() throws IOException {
    for (int i = 0; i < 30; i++) {
      add(NOW_MS + 1 + i % 2 * SLOT_MS, i);
    }
    index.write();

    reopen(0, 21);

    assertThat(records(NOW_MS)).isEqualTo(descending(20, 2));
    assertThat(records(NOW_MS + SLOT_MS)).isEqualTo(LongStream.of(19, 17, 15, 13, 11, 9, 7, 5, 3, 1).boxed().toList());
    add(NOW_MS + 3, 100);
    index.write();
    assertThat(records(NOW_MS).get(0)).isEqualTo(100);
    assertThat(records(NOW_MS)).hasSize(12);
  }

  @Test
  void shouldNotTakeUnitsForNewThatWereCutBefore() throws IOException {
    for (int i = 0; i < 30; i++) {
      add(NOW_MS + 1, i);
    }
    index.write();
    reopen(0, 5);
    add(NOW_MS + 1, 100);
    index.write();

    reopen(0);

    assertThat(records(NOW_MS)).containsExactly(100L, 4L, 3L, 2L, 1L, 0L);
  }

  @Test
  void shouldKeepOnlyTheCopiesOfARewrittenSlot() throws IOException {
    for (int i = 0; i < 40; i++) {
      add(NOW_MS + 1, i);
    }
    index.write();
    long[] kept = {placeOf(7), placeOf(35), placeOf(39)};

    index.rewrite(NOW_MS, kept, entry);

    assertThat(records(NOW_MS)).containsExactly(39L, 35L, 7L);
    reopen(0);
    assertThat(records(NOW_MS)).containsExactly(39L, 35L, 7L);
  }

  @Test
  void shouldKeepTheCopiesOfARewrittenSlotWhenAPowerCutTookWhatCameLater() throws IOException {
    for (int i = 0; i < 4; i++) {
      add(NOW_MS + 1, i);
    }
    index.write();
    index.rewrite(NOW_MS, new long[] {placeOf(1), placeOf(3)}, entry);
    add(NOW_MS + 2, 4);
    add(NOW_MS + 2, 100);
    index.write();

    reopen(0, 100);

    assertThat(records(NOW_MS)).containsExactly(4L, 3L, 1L);
    assertThat(index.waitingFrom(NOW_MS).count()).isEqualTo(3);
  }

  @Test
  void shouldNotTakeCopiesOfAnUnfinishedRewriteForUnitsWhenAPowerCutTookWhatCameLater() throws IOException {
    for (int i = 0; i < 4; i++) {
      add(NOW_MS + 1, i);
    }
    index.write();
    byte[] wheel = Files.readAllBytes(root.resolve("timerwheel"));
    index.rewrite(NOW_MS, new long[] {placeOf(1), placeOf(3)}, entry);
    Files.write(root.resolve("timerwheel"), wheel);
    add(NOW_MS + 2, 4);
    add(NOW_MS + 2, 100);
    index.write();

    reopen(0, 100);

    assertThat(records(NOW_MS)).containsExactly(4L, 3L, 2L, 1L, 0L);
  }

  @Test
  void shouldNotForceAgainWhatCouldNotBeForced() throws IOException {
    boolean[] broken = new boolean[1];
    Disk disk = (Disk) Proxy.newProxyInstance(Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
      if (broken[0] && method.getName().equals("force")) {
        throw new IOException("no such luck");
      }
      return method.invoke(Disk.real(), arguments);
    });
    index.close();
    index = TimerIndex.open(root, LOG_FILE_BYTES, SLOT_MS, disk);
    add(NOW_MS + 1, 1);
    index.write();
    broken[0] = true;
    assertThatThrownBy(() -> index.forcing().force()).hasMessage("no such luck");

    broken[0] = false;
    add(NOW_MS + 1, 2);
    index.write();
    long end = index.end();

    assertThatThrownBy(() -> index.forcing().force()).isInstanceOf(IOException.class).hasMessageContaining("earlier force");
    assertThatThrownBy(() -> index.rewrite(NOW_MS, new long[] {placeOf(2)}, entry)).isInstanceOf(IOException.class);
    assertThat(records(NOW_MS)).containsExactly(2L, 1L);
    assertThat(index.end()).as("copies are not added again by each try").isEqualTo(end);
  }

  @Test
  void shouldKeepTheOldChainWhenARewriteWasNotFinished() throws IOException {
    for (int i = 0; i < 4; i++) {
      add(NOW_MS + 1, i);
    }
    index.write();
    byte[] wheel = Files.readAllBytes(root.resolve("timerwheel"));
    index.rewrite(NOW_MS, new long[] {placeOf(3)}, entry);
    Files.write(root.resolve("timerwheel"), wheel);

    reopen(0);

    assertThat(records(NOW_MS)).containsExactly(3L, 2L, 1L, 0L);
  }

  @Test
  void shouldDeleteOnlyFilesWhoseUnitsAreAllOver() throws IOException {
    for (int i = 0; i < 100; i++) {
      add(NOW_MS + i * SLOT_MS + 1, i);
    }
    index.write();
    index.forcing().force();

    int deleted = 0;
    while (index.deleteOldest(NOW_MS + 50 * SLOT_MS)) {
      deleted++;
    }

    assertThat(deleted).isEqualTo(50 / 17);
    assertThat(records(NOW_MS + 50 * SLOT_MS)).containsExactly(50L);
    reopen(index.end());
    assertThat(records(NOW_MS + 99 * SLOT_MS)).containsExactly(99L);
  }

  @Test
  void shouldRefuseALogOfAnotherFileSize() throws IOException {
    add(NOW_MS + 1, 1);
    index.write();

    assertThatThrownBy(() -> TimerIndex.open(root, 2 * LOG_FILE_BYTES, SLOT_MS, Disk.real()))
        .isInstanceOf(StoreException.class).hasMessageContaining("mappedFileSizeTimerLog");
  }

  @Test
  void shouldRefuseALogThatMissesAFile() throws IOException {
    for (int i = 0; i < 100; i++) {
      add(NOW_MS + 1, i);
    }
    index.write();
    Files.delete(root.resolve("timerlog").resolve(FileNames.ofStart(LOG_FILE_BYTES)));

    assertThatThrownBy(() -> TimerIndex.open(root, LOG_FILE_BYTES, SLOT_MS, Disk.real()))
        .isInstanceOf(StoreException.class).hasMessageContaining("missing");
  }

  @Test
  void shouldStopAtAChainThatIsDamaged() throws IOException {
    for (int i = 0; i < 5; i++) {
      add(NOW_MS + 1, i);
    }
    index.write();
    try (FileChannel file = FileChannel.open(root.resolve("timerlog/00000000000000000000"), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(TimerUnit.SIZE).putInt(0, 99), 2L * TimerUnit.SIZE);
    }

    assertThat(records(NOW_MS)).containsExactly(4L, 3L);
  }

  private void add(long timeMs, long phyOffset) throws IOException {
    index.add(entry.set(timeMs, NOW_MS, 0, phyOffset, 100, 0));
  }

  private long placeOf(long phyOffset) throws IOException {
    long[] place = {-1};
    index.forEach(NOW_MS, new TimerEntry(), unit -> place[0] = unit.phyOffset() == phyOffset ? unit.place() : place[0]);
    return place[0];
  }

  private List<Long> records(long slotMs) throws IOException {
    List<Long> found = new ArrayList<>();
    index.forEach(slotMs, new TimerEntry(), unit -> found.add(unit.phyOffset()));
    return found;
  }

  /** Another process takes the files; all units are sound. */
  private void reopen(long noted) throws IOException {
    reopen(noted, Long.MAX_VALUE);
  }

  /** Another process takes the files, and units of records from {@code lost} on are not sound. */
  private void reopen(long noted, long lost) throws IOException {
    index.close();
    open();
    index.recover(noted, NOW_MS, unit -> unit.phyOffset() < lost);
  }

  /** Every {@code step}-th number from {@code last} down to 0. */
  private static List<Long> descending(long last, int step) {
    List<Long> numbers = new ArrayList<>();
    for (long at = 0; at <= last; at += step) {
      numbers.add(at);
    }
    Collections.reverse(numbers);
    return numbers;
  }
}
