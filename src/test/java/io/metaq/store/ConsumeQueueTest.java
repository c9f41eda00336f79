package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.store.QueueUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsumeQueueTest {
  private static final int FILE_SIZE = 2000;

  @TempDir
  Path folder;

  private final OpenFiles openFiles = new OpenFiles();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(64 * 1024);
  private final UnitWindow window = new UnitWindow(64);

  @Test
  void shouldReadUnitsAtOnceAndAfterTheyAreWritten() throws IOException {
    ConsumeQueue queue = queue();

    for (int i = 0; i < 5000; i++) {
      append(queue);
      read(queue, i, 1);
      assertUnit(0, i);
    }
    queue.writePending(scratch);

    assertThat(queue.pending()).isZero();
    assertAll(queue, 0, 5000);
    assertThat(Files.list(folder)).hasSize(50);
    assertThat(Files.size(folder.resolve(FileNames.ofStart(98_000)))).isEqualTo(FILE_SIZE);
  }

  @Test
  void shouldWriteUnitsInTheFormOfTheReference() throws IOException {
    ConsumeQueue queue = queue();
    queue.append(1024, 123, 3552231, scratch);
    queue.writePending(scratch);

    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(folder.resolve(FileNames.ofStart(0))));

    assertThat(file.getLong(0)).isEqualTo(1024);
    assertThat(file.getInt(8)).isEqualTo(123);
    assertThat(file.getLong(12)).isEqualTo(3552231);
    assertThat(file.getLong(20)).isZero();
  }

  @Test
  void shouldReadNothingBeyondItsEnds() throws IOException {
    ConsumeQueue queue = queue();
    append(queue);

    read(queue, 1, 10);
    assertThat(window.count()).isZero();
    read(queue, -1, 10);
    assertThat(window.count()).isZero();
    read(queue, 0, 10);
    assertThat(window.count()).isEqualTo(1);
  }

  @Test
  void shouldFillUpToAFirstMessageBeyondZeroAsTheReferenceDoes() throws IOException {
    ConsumeQueue queue = queue();

    queue.skipTo(250, 77_000, scratch);
    append(queue);
    queue.writePending(scratch);

    assertThat(Files.list(folder)).singleElement().hasToString(folder.resolve(FileNames.ofStart(4000)).toString());
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(folder.resolve(FileNames.ofStart(4000))));
    assertThat(file.getLong(49 * 20)).isZero();
    assertThat(file.getInt(49 * 20 + 8)).isEqualTo(QueueUnit.FILLER_SIZE);
    assertThat(queue.minOffset(0, window)).isEqualTo(250);
    read(queue, 250, 1);
    assertUnit(0, 250);
  }

  /** What was in the way of a queue's first file may be gone when its messages are dispatched again. */
  @Test
  void shouldBeginBeyondZeroWhenItsFirstFileCanBeMadeAtLast() throws IOException {
    Files.deleteIfExists(folder);
    Files.createFile(folder);
    ConsumeQueue queue = queue();
    assertThatThrownBy(() -> queue.skipTo(250, 77_000, scratch)).isInstanceOf(IOException.class);
    Files.delete(folder);
    Files.createDirectory(folder);
    Path file = Files.createDirectory(folder.resolve(FileNames.ofStart(4000)));
    assertThatThrownBy(() -> queue.skipTo(250, 77_000, scratch)).isInstanceOf(IOException.class);
    Files.delete(file);

    queue.skipTo(250, 77_000, scratch);
    append(queue);
    queue.writePending(scratch);

    assertThat(file).isRegularFile();
    assertThat(queue.minOffset(0, window)).isEqualTo(250);
    read(queue, 250, 1);
    assertUnit(0, 250);
  }

  @Test
  void shouldFindTheFirstUnitThatIsStillInTheLog() throws IOException {
    ConsumeQueue queue = queue();
    for (int i = 0; i < 1000; i++) {
      append(queue);
    }

    assertThat(queue.minOffset(0, window)).isZero();
    assertThat(queue.minOffset(phyOffset(500), window)).isEqualTo(500);
    assertThat(queue.minOffset(phyOffset(500) + 1, window)).isEqualTo(501);
    assertThat(queue.minOffset(phyOffset(5000), window)).isEqualTo(1000);
  }

  @Test
  void shouldKnowUnitsOfMessagesFarBehindWithoutALookAtThem() throws IOException {
    ConsumeQueue queue = queue();
    long quarter = StoreView.FAR_BYTES / 4;

    for (int i = 0; i < 8; i++) {
      queue.append(i * quarter, 100, 0, scratch);
      assertThat(queue.farBefore()).isZero();
    }
    queue.append(8 * quarter, 100, 0, scratch);
    assertThat(queue.farBefore()).isEqualTo(4);
    for (int i = 9; i < 100; i++) {
      queue.append(i * quarter, 100, 0, scratch);
      assertThat(queue.farBefore()).isBetween(i - 8L, i - 4L);
    }
  }

  @Test
  void shouldNameOnlyFilesWrittenSinceTheLastCheckpoint() throws IOException {
    ConsumeQueue queue = queue();
    for (int i = 0; i < 150; i++) {
      append(queue);
    }
    queue.writePending(scratch);
    assertThat(queue.filesToForce()).hasSize(2);
    assertThat(queue.filesToForce()).isEmpty();

    append(queue);
    queue.writePending(scratch);

    assertThat(queue.filesToForce()).singleElement().extracting(UnitFile::start).isEqualTo(2000L);
  }

  @Test
  void shouldTakeAwayFilesBelowTheLogButNeverTheLast() throws IOException {
    ConsumeQueue queue = queue();
    for (int i = 0; i < 350; i++) {
      append(queue);
    }
    queue.writePending(scratch);

    List<UnitFile> removed = queue.removeBelow(phyOffset(200), window);

    assertThat(removed).extracting(UnitFile::start).containsExactly(0L, 2000L);
    assertThat(queue.firstUnit()).isEqualTo(200);
    assertThat(queue.removeBelow(phyOffset(100_000), window)).hasSize(1);
    assertThat(queue.firstUnit()).isEqualTo(300);
  }

  @Test
  void shouldShowEveryReaderWholeUnitsInOrderWhileItGrows() throws Exception {
    ConsumeQueue queue = queue();
    int count = 60_000;
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread[] readers = new Thread[3];
    for (int r = 0; r < readers.length; r++) {
      readers[r] = new Thread(() -> {
        try {
          readUpTo(queue, count);
        } catch (Throwable thrown) {
          failure.set(thrown);
        }
      });
      readers[r].start();
    }

    for (int i = 0; i < count; i++) {
      append(queue);
      if (i % 10_000 == 0) {
        queue.writePending(scratch);
      }
    }
    for (Thread reader : readers) {
      reader.join();
    }

    assertThat(failure.get()).isNull();
  }

  @Test
  void shouldReadAgainAfterItsChannelWasClosedBehindItsBack() throws Exception {
    ConsumeQueue queue = queue();
    for (int i = 0; i < 3000; i++) {
      append(queue);
    }
    queue.writePending(scratch);
    read(queue, 0, 10);

    openFiles.closeAll();
    read(queue, 0, 10);
    assertUnit(0, 0);
    openFiles.closeAll();
    append(queue);
    queue.writePending(scratch);

    assertAll(queue, 0, 3001);
  }

  @Test
  void shouldReadWithoutAPlaceToKeepItsChannel() throws Exception {
    for (int i = 0; i < OpenFiles.LIMIT; i++) {
      openFiles.tryKeep(new UnitFile(folder.resolve("other" + i), 0, openFiles));
    }
    ConsumeQueue queue = queue();
    for (int i = 0; i < 3000; i++) {
      append(queue);
    }
    queue.writePending(scratch);

    assertAll(queue, 0, 3000);
  }

  private static void readUpTo(ConsumeQueue queue, int count) throws IOException {
    UnitWindow mine = new UnitWindow(64);
    long at = 0;
    while (at < count) {
      queue.read(at, 64, mine);
      for (int i = 0; i < mine.count(); i++) {
        long n = at + i;
        if (mine.phyOffset(i) != phyOffset(n) || mine.size(i) != 100 + n % 7 || mine.tagsCode(i) != n * 31) {
          throw new AssertionError("unit " + n + " is " + mine.phyOffset(i) + " " + mine.size(i) + " " + mine.tagsCode(i));
        }
      }
      at += mine.count();
    }
  }

  private ConsumeQueue queue() {
    return new ConsumeQueue("t", 0, folder, FILE_SIZE, openFiles, List.of(), 0);
  }

  private void append(ConsumeQueue queue) throws IOException {
    long n = queue.end();
    queue.append(phyOffset(n), (int) (100 + n % 7), n * 31, scratch);
  }

  private static long phyOffset(long n) {
    return 10 + n * 1000;
  }

  private void read(ConsumeQueue queue, long from, int max) throws IOException {
    queue.read(from, max, window);
  }

  private void assertAll(ConsumeQueue queue, long from, int count) throws IOException {
    long at = from;
    while (at < from + count) {
      read(queue, at, 64);
      assertThat(window.count()).isPositive();
      for (int i = 0; i < window.count(); i++) {
        assertUnit(i, at + i);
      }
      at += window.count();
    }
  }

  private void assertUnit(int index, long n) {
    assertThat(window.phyOffset(index)).isEqualTo(phyOffset(n));
    assertThat(window.size(index)).isEqualTo((int) (100 + n % 7));
    assertThat(window.tagsCode(index)).isEqualTo(n * 31);
  }
}
