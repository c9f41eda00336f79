package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.record.RecordLayout;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DispatchWindowTest {
  private static final int FILE = 1 << 20;
  private static final int LONG = 16 * 1024;
  private static final int PART = 256 * 1024;

  @TempDir
  Path folder;
  private Segment segment;

  /** Each four bytes of the file hold their own place. */
  @BeforeEach
  void open() throws IOException {
    segment = Segment.open(Disk.real(), folder, FILE, FILE);
    ByteBuffer places = ByteBuffer.allocateDirect(FILE);
    for (int place = 0; place < FILE; place += 4) {
      places.putInt(place, place);
    }
    segment.file().write(0, places, 0, FILE);
  }

  @AfterEach
  void close() {
    segment.release();
  }

  @Test
  void shouldReadManyShortRecordsAtOnce() throws IOException {
    DispatchWindow window = over(2 * FILE, 0);

    window.expect(200, FILE);

    assertThat(shown(window, 400, 100)).isEqualTo(400);
    assertThat(window.bytes().limit()).isEqualTo(PART);
    assertThat(window.find(PART + 300, 100)).as("the last of what was read").isEqualTo(PART - 100);
    assertThat(window.find(PART + 301, 100)).as("its end is behind that").isZero();
    assertThat(shown(window, PART + 400, 100)).isEqualTo(PART + 400);
  }

  @Test
  void shouldReadNoMoreThanStandsBetweenTwoLongBodies() throws IOException {
    DispatchWindow window = over(2 * FILE, 0);

    window.expect(LONG, FILE);

    assertThat(shown(window, LONG - 100, 100)).isEqualTo(LONG - 100);
    assertThat(window.bytes().limit()).isEqualTo(100 + RecordLayout.MAX_HEAD);
    assertThat(window.find(LONG, RecordLayout.MAX_HEAD)).as("the next head came with it").isEqualTo(100);
    assertThat(shown(window, LONG, RecordLayout.MAX_HEAD)).isEqualTo(LONG);
    window.expect(200, FILE + LONG);
    shown(window, LONG + 200, 100);
    assertThat(window.bytes().limit()).as("behind a short record").isEqualTo(PART);
  }

  @Test
  void shouldTakeARecordFrom8KiBOnForLong() throws IOException {
    DispatchWindow window = over(2 * FILE, 0);

    window.expect(8 * 1024 - 1, FILE);
    window.find(0, 100);
    assertThat(window.bytes().limit()).isEqualTo(PART);
    window.expect(8 * 1024, FILE);
    window.find(2 * PART, 100);
    assertThat(window.bytes().limit()).isEqualTo(100 + RecordLayout.MAX_HEAD);
  }

  @Test
  void shouldReadOverLongBodiesThatMayNotBeInMemory() throws IOException {
    DispatchWindow window = over(2 * FILE, FILE + LONG);

    window.expect(LONG, FILE + LONG - 4);
    shown(window, LONG - 100, 100);
    assertThat(window.bytes().limit()).as("from before the start").isEqualTo(PART);

    window.expect(LONG, FILE + LONG);
    shown(window, 2 * PART, 100);
    assertThat(window.bytes().limit()).as("came since").isEqualTo(100 + RecordLayout.MAX_HEAD);
  }

  @Test
  void shouldNotReadBeyondTheReadableEndOrThatOfTheFile() throws IOException {
    DispatchWindow window = over(FILE + 1000, 0);
    assertThat(window.left(400)).isEqualTo(600);
    shown(window, 400, 100);
    assertThat(window.bytes().limit()).isEqualTo(600);

    window.over(segment, 3 * FILE);
    assertThat(window.left(FILE - 1000)).isEqualTo(1000);
    shown(window, FILE - 1000, 100);
    assertThat(window.bytes().limit()).isEqualTo(1000);
  }

  @Test
  void shouldForgetWhatItReadWhenItLooksAnew() throws IOException {
    DispatchWindow window = over(2 * FILE, 0);
    shown(window, 400, 100);
    ByteBuffer other = ByteBuffer.allocateDirect(4).putInt(0, -1);
    segment.file().write(400, other, 0, 4);

    assertThat(shown(window, 400, 100)).isEqualTo(400);
    window.over(segment, 2 * FILE);
    assertThat(shown(window, 400, 100)).isEqualTo(-1);
  }

  @Test
  void shouldRefuseToShowWhatAShortenedFileLacks() throws IOException {
    DispatchWindow window = over(2 * FILE, 0);
    try (RandomAccessFile file = new RandomAccessFile(segment.file().path().toFile(), "rw")) {
      file.setLength(500);
    }

    assertThat(shown(window, 400, 100)).isEqualTo(400);
    assertThatThrownBy(() -> window.find(404, 100)).isInstanceOf(EOFException.class).hasMessageContaining("ends at 500");
    assertThatThrownBy(() -> window.find(404, 100)).as("again").isInstanceOf(EOFException.class);
  }

  private DispatchWindow over(long readable, long freshFrom) {
    DispatchWindow window = new DispatchWindow(freshFrom);
    window.over(segment, readable);
    return window;
  }

  private static int shown(DispatchWindow window, int place, int length) throws IOException {
    return window.bytes().getInt(window.find(place, length));
  }
}
