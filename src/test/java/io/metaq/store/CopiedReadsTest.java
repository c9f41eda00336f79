package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.record.RecordLayout;
import io.metaq.model.RecordFilter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link StoreView#getCold} hands out is what {@link StoreView#get} does, and its memory comes back. */
class CopiedReadsTest {
  private static final int MOST_BYTES = 1 << 20;

  @TempDir
  Path root;

  private TestStore test;
  private StoreView view;

  @BeforeEach
  void open() {
    // Files of half a megabyte, for records that are longer than the memory of an answer.
    test = TestStore.open(StoreOptions.of(root).withSizes(1 << 19, TestStore.QUEUE_FILE, 64, 512));
    view = test.store.view();
    for (int i = 0; i < 64; i++) {
      test.append("apart", i % 2, "record");
    }
    test.dispatch();
  }

  @AfterEach
  void close() {
    test.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 700, 3_900, 4_096, 5_000, 60_000})
  void shouldReadWhatTheMappingShows(int longestBody) {
    fill(longestBody, 200_000 + 20 * longestBody);

    for (int queueId = 0; queueId < 3; queueId++) {
      for (RecordFilter filter : List.<RecordFilter>of(code -> true, code -> code == "odd".hashCode(), ofRecords(offset -> offset % 3 != 0))) {
        expectTheSame(queueId, 32, MOST_BYTES, filter);
        expectTheSame(queueId, 5, MOST_BYTES, filter);
        expectTheSame(queueId, 32, 3 * longestBody, filter);
        expectTheSame(queueId, 1, 1, filter);
      }
    }
  }

  @Test
  void shouldHandOutOnePieceForRecordsThatLieApart() {
    fill(100, 50_000);

    GetResult result = view.getCold("a", 1, 0, 32, MOST_BYTES, code -> true);

    assertThat(result.count()).isEqualTo(32);
    assertThat(result.slices()).hasSize(1);
    assertThat(result.slices().get(0).phyOffset()).isEqualTo(phyOffset(result.slices().get(0).bytes(), 0));
    result.release();
  }

  @Test
  void shouldTellWhereAnOffsetStandsAndLendNothing() {
    fill(100, 50_000);

    for (long queueOffset : List.of(-1L, view.maxOffset("a", 0), 1L << 20)) {
      expectNoMemoryLent(() -> {
        GetResult result = view.getCold("a", 0, queueOffset, 32, MOST_BYTES, code -> true);
        assertThat(result).isEqualTo(view.get("a", 0, queueOffset, 32, MOST_BYTES, code -> true));
      });
    }
  }

  @Test
  void shouldGiveMemoryBackWithTheAnswer() {
    fill(100, 50_000);

    expectNoMemoryLent(() -> view.getCold("a", 0, 0, 32, MOST_BYTES, code -> true).release());
    expectNoMemoryLent(() -> view.getCold("a", 0, 0, 32, MOST_BYTES, ofRecords(offset -> false)).release());
    RecordFilter failing = ofRecords(offset -> {
      if (offset == 3) {
        throw new IllegalStateException("no");
      }
      return true;
    });
    expectNoMemoryLent(() -> assertThatThrownBy(() -> view.getCold("a", 0, 0, 32, MOST_BYTES, failing)).hasMessage("no"));
  }

  @Test
  void shouldLendTheMappingWhereMemoryIsShort() {
    List<GetResult> unread = takeAllMemory();

    GetResult lent = view.getCold("apart", 0, 0, 32, MOST_BYTES, code -> true);

    assertThat(bytes(lent)).isEqualTo(bytes(unread.get(0)));
    assertThat(lent.slices()).hasSize(32);
    lent.release();
    unread.remove(0).release();
    GetResult again = view.getCold("apart", 0, 0, 32, MOST_BYTES, code -> true);
    assertThat(again.slices()).hasSize(1);
    again.release();
    unread.forEach(GetResult::release);
  }

  @Test
  void shouldLendARecordThatIsTooLongToCopy() {
    test.append("a", 0, "short");
    test.append(new TestRecords().add("a", 0, new byte[ReadBuffers.BYTES + 1], Map.of()));
    test.append("a", 0, "short");
    test.dispatch();

    expectNoMemoryLent(() -> {
      GetResult result = view.getCold("a", 0, 1, 32, MOST_BYTES, code -> true);
      assertThat(result.count()).isEqualTo(1);
      assertThat(result.bytes()).isGreaterThan(ReadBuffers.BYTES);
      GetResult lent = view.get("a", 0, 1, 32, MOST_BYTES, code -> true);
      assertThat(bytes(result)).isEqualTo(bytes(lent));
      lent.release();
      result.release();
    });
    for (long queueOffset : List.of(0L, 2L)) {
      GetResult beside = view.getCold("a", 0, queueOffset, 32, MOST_BYTES, code -> true);
      assertThat(beside.count()).isEqualTo(1);
      beside.release();
    }
  }

  @Test
  void shouldRefuseWhatIsNoRecord() {
    fill(100, 50_000);
    GetResult third = view.get("a", 0, 3, 1, MOST_BYTES, code -> true);
    overwrite(third.slices().get(0).phyOffset() + RecordLayout.MAGIC);
    third.release();

    GetResult before = view.getCold("a", 0, 0, 32, MOST_BYTES, code -> true);
    assertThat(before.count()).isEqualTo(3);
    before.release();
    expectNoMemoryLent(() -> assertThatThrownBy(() -> view.getCold("a", 0, 3, 32, MOST_BYTES, code -> true))
        .isInstanceOf(StoreException.class).hasMessageContaining("message 3 of queue a/0 cannot be read").hasMessageContaining("metaq verify"));
  }

  @Test
  void shouldLeaveRecordsThatAFilterJudgesWhereTheyLie() {
    RecordFilter judging = new RecordFilter() {
      @Override
      public boolean admits(long tagsCode) {
        return true;
      }

      @Override
      public boolean judgesRecords() {
        return true;
      }
    };

    GetResult result = view.getCold("apart", 0, 0, 32, MOST_BYTES, judging);

    assertThat(result.slices()).hasSize(32);
    result.release();
  }

  /** Bytes behind the end were not there yet when those in front of it were read. */
  @Test
  void shouldReadAnewWhatCameInMeanwhile() throws IOException {
    long first = test.store.log().appendedOffset();
    test.append("a", 0, "first");
    long second = test.store.log().appendedOffset();
    int size = (int) (second - first);
    Segments segments = new Segments(Disk.real(), root, 1 << 19, List.of(Segment.open(Disk.real(), root.resolve("commitlog"), 0, 1 << 19)));
    CopyBuilder copies = new CopyBuilder(segments, second, new ReadBuffers());
    try {
      assertThat(copies.add(first, size, code -> true)).isEqualTo(AnswerBuilder.Added.ADDED);

      test.append("a", 0, "other");

      assertThat(copies.add(second, size, code -> true)).isEqualTo(AnswerBuilder.Added.ADDED);
      assertThat(copies.count()).isEqualTo(2);
    } finally {
      copies.discard();
      segments.close();
    }
  }

  /** Three queues, records of all lengths, and two tags. */
  private void fill(int longestBody, int bytes) {
    Random random = new Random(longestBody);
    for (int i = 0; test.store.log().appendedOffset() < bytes; i++) {
      byte[] body = new byte[1 + random.nextInt(longestBody)];
      random.nextBytes(body);
      test.append(new TestRecords().add("a", random.nextInt(3), body, Map.of("TAGS", i % 2 == 0 ? "even" : "odd")));
    }
    test.dispatch();
  }

  /** Goes through the queue in both ways. */
  private void expectTheSame(int queueId, int maxMessages, int maxBytes, RecordFilter filter) {
    long at = 0;
    while (at < view.maxOffset("a", queueId)) {
      GetResult lent = view.get("a", queueId, at, maxMessages, maxBytes, filter);
      GetResult copied = view.getCold("a", queueId, at, maxMessages, maxBytes, filter);
      assertThat(copied.status()).isEqualTo(lent.status());
      assertThat(copied.nextOffset()).isEqualTo(lent.nextOffset()).isGreaterThan(at);
      assertThat(copied.count()).isEqualTo(lent.count());
      assertThat(copied.bytes()).isEqualTo(lent.bytes());
      assertThat(bytes(copied)).isEqualTo(bytes(lent));
      assertThat(copied.slices()).hasSizeLessThanOrEqualTo(1);
      at = lent.nextOffset();
      lent.release();
      copied.release();
    }
  }

  /** As many copies can be had afterwards as before. */
  private void expectNoMemoryLent(Runnable read) {
    for (int i = 0; i <= ReadBuffers.MOST; i++) {
      read.run();
    }
    List<GetResult> unread = takeAllMemory();
    assertThat(unread).allSatisfy(result -> assertThat(result.slices()).hasSize(1));
    unread.forEach(GetResult::release);
  }

  /** Records that lie apart: one slice if it is a copy. */
  private List<GetResult> takeAllMemory() {
    List<GetResult> taken = new ArrayList<>();
    for (int i = 0; i < ReadBuffers.MOST; i++) {
      taken.add(view.getCold("apart", 0, 0, 32, MOST_BYTES, code -> true));
    }
    return taken;
  }

  private static byte[] bytes(GetResult result) {
    ByteBuffer all = ByteBuffer.allocate(result.bytes());
    result.slices().forEach(slice -> slice.copyTo(all));
    return all.array();
  }

  private static long phyOffset(ByteBuffer bytes, int at) {
    return bytes.getLong(at + RecordLayout.PHY_OFFSET);
  }

  private static RecordFilter ofRecords(LongPredicate admitted) {
    return new RecordFilter() {
      @Override
      public boolean admits(long tagsCode) {
        return true;
      }

      @Override
      public boolean admits(ByteBuffer log, int at) {
        return admitted.test(log.getLong(at + RecordLayout.QUEUE_OFFSET));
      }
    };
  }

  private void overwrite(long phyOffset) {
    try (RandomAccessFile file = new RandomAccessFile(root.resolve("commitlog/" + FileNames.ofStart(0)).toFile(), "rw")) {
      file.seek(phyOffset);
      file.writeInt(0);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
