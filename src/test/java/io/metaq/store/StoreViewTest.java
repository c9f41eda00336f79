package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.sun.nio.file.ExtendedOpenOption;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.store.IndexLayout;
import io.metaq.model.RecordFilter;
import io.metaq.model.Topics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreViewTest {
  @TempDir
  Path root;

  private TestStore test;
  private StoreView view;

  @BeforeEach
  void open() {
    test = TestStore.open(root);
    view = test.store.view();
  }

  @AfterEach
  void close() {
    test.close();
  }

  @ParameterizedTest
  @CsvSource({"-1,OFFSET_TOO_SMALL,0", "0,FOUND,5", "4,FOUND,5", "5,OFFSET_OVERFLOW_ONE,5", "6,OFFSET_OVERFLOW_BADLY,5",
      "9000000000,OFFSET_OVERFLOW_BADLY,5"})
  void shouldTellWhereAnOffsetStands(long queueOffset, GetStatus status, long next) {
    fill("a", 5);

    GetResult result = get(queueOffset, 32, 1 << 20);

    assertThat(result.status()).isEqualTo(status);
    assertThat(result.nextOffset()).isEqualTo(next);
    assertThat(result.minOffset()).isZero();
    assertThat(result.maxOffset()).isEqualTo(5);
  }

  @Test
  void shouldTellAnUnknownQueue() {
    fill("a", 1);

    GetResult result = view.get("a", 7, 3, 32, 1 << 20, code -> true);

    assertThat(result.status()).isEqualTo(GetStatus.NO_MATCHED_LOGIC_QUEUE);
    assertThat(result.nextOffset()).isZero();
  }

  @Test
  void shouldGiveNoMoreThanAsked() {
    fill("a", 50);

    assertThat(get(0, 32, 1 << 20).count()).isEqualTo(32);
    assertThat(get(40, 32, 1 << 20).count()).isEqualTo(10);
    assertThat(get(0, 1, 1 << 20).nextOffset()).isEqualTo(1);
    assertThat(get(0, 0, 1 << 20).count()).isEqualTo(1);
  }

  @Test
  void shouldStopAtTheBytesAskedButAlwaysGiveTheFirst() {
    for (int i = 0; i < 10; i++) {
      test.append(new TestRecords().add("a", 0, new byte[1000], Map.of()));
    }
    test.dispatch();
    int size = 1000 + 92;

    assertThat(get(0, 32, 3 * size).count()).isEqualTo(3);
    assertThat(get(0, 32, 3 * size - 1).count()).isEqualTo(2);
    assertThat(get(0, 32, 1).count()).isEqualTo(1);
  }

  @Test
  void shouldJoinRecordsThatLieBackToBack() {
    fill("a", 10);
    test.append("b", 0, "between");
    fill("a", 10);

    GetResult result = get(0, 32, 1 << 20);

    assertThat(result.count()).isEqualTo(20);
    assertThat(result.slices()).hasSize(2);
    assertThat(TestStore.messages(result)).extracting(StoredMessage::queueOffset).startsWith(0L, 1L).endsWith(19L).hasSize(20);
    assertThat(result.bytes()).isEqualTo(result.slices().stream().mapToInt(RecordSlice::size).sum());
    result.release();
  }

  @Test
  void shouldFilterByTagsCodeAndSayHowFarItLooked() {
    for (int i = 0; i < 100; i++) {
      test.append("a", 0, "m" + i, Map.of("TAGS", i % 10 == 0 ? "ten" : "other"));
    }
    test.dispatch();

    GetResult result = view.get("a", 0, 0, 4, 1 << 20, code -> code == "ten".hashCode());

    assertThat(TestStore.messages(result)).extracting(StoredMessage::queueOffset).containsExactly(0L, 10L, 20L, 30L);
    assertThat(result.nextOffset()).isEqualTo(40);
    result.release();
  }

  @Test
  void shouldLookAtSoManyUnitsInOneCallOnly() {
    fill("a", 1000);

    GetResult result = view.get("a", 0, 0, 32, 1 << 20, code -> false);

    assertThat(result.status()).isEqualTo(GetStatus.NO_MATCHED_MESSAGE);
    assertThat(result.nextOffset()).isEqualTo(StoreView.MAX_SCANNED_UNITS);
  }

  @Test
  void shouldAskAboutTheRecordsWhoseTagsCodePassed() {
    for (int i = 0; i < 12; i++) {
      test.append("a", 0, "m" + i, Map.of("TAGS", i % 3 == 0 ? "third" : "other"));
    }
    test.dispatch();
    List<Long> asked = new ArrayList<>();

    GetResult result = view.get("a", 0, 0, 32, 1 << 20, records(asked, offset -> offset % 2 == 0, 100));

    assertThat(TestStore.messages(result)).extracting(StoredMessage::queueOffset).containsExactly(0L, 6L);
    assertThat(asked).containsExactly(0L, 3L, 6L, 9L);
    assertThat(result.nextOffset()).isEqualTo(12);
    result.release();
  }

  @Test
  void shouldEndAReadWhenItsFilterIsTired() {
    for (int i = 0; i < 12; i++) {
      test.append("a", 0, "m" + i, Map.of("TAGS", "third"));
    }
    test.dispatch();

    GetResult some = view.get("a", 0, 0, 32, 1 << 20, records(new ArrayList<>(), offset -> offset == 1, 5));
    GetResult none = view.get("a", 0, some.nextOffset(), 32, 1 << 20, records(new ArrayList<>(), offset -> false, 5));

    assertThat(TestStore.messages(some)).extracting(StoredMessage::queueOffset).containsExactly(1L);
    assertThat(some.nextOffset()).isEqualTo(5);
    assertThat(none.status()).isEqualTo(GetStatus.NO_MATCHED_MESSAGE);
    assertThat(none.nextOffset()).isEqualTo(10);
    some.release();
  }

  /** Takes those of the tag "third" whose queue offset is wanted; tired after so many. */
  private static RecordFilter records(List<Long> asked, LongPredicate wanted, int most) {
    return new RecordFilter() {
      @Override
      public boolean admits(long tagsCode) {
        return tagsCode == "third".hashCode();
      }

      @Override
      public boolean admits(ByteBuffer log, int at) {
        asked.add(log.getLong(at + RecordLayout.QUEUE_OFFSET));
        return wanted.test(asked.get(asked.size() - 1));
      }

      @Override
      public boolean tired() {
        return asked.size() >= most;
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"0,0,0", "1000,0,0", "1001,1,0", "1500,1,0", "2000,1,3", "2001,4,3", "3000,4,4", "3001,5,4", "99999,5,4"})
  void shouldFindOffsetsByTime(long time, long lower, long upper) {
    long base = 1_700_000_000_000L;
    long[] times = {1000, 2000, 2000, 2000, 3000};
    for (long stored : times) {
      test.clock.set(base + stored);
      test.append("a", 0, "x");
    }
    test.dispatch();

    assertThat(view.offsetByTime("a", 0, base + time, TimeBoundary.LOWER)).isEqualTo(lower);
    assertThat(view.offsetByTime("a", 0, base + time, TimeBoundary.UPPER)).isEqualTo(upper);
  }

  @Test
  void shouldTellStoreTimes() {
    fill("a", 2);

    assertThat(view.earliestStoreTime("a", 0)).isEqualTo(test.clock.millis());
    assertThat(view.storeTimeOf("a", 0, 1)).isEqualTo(test.clock.millis());
    assertThat(view.storeTimeOf("a", 0, 2)).isEqualTo(-1);
    assertThat(view.earliestStoreTime("none", 0)).isEqualTo(-1);
  }

  @Test
  void shouldGiveARecordByItsPlaceAndNothingByAnotherPlace() {
    TestRecords records = test.append(new TestRecords().add("a", 0, "x").add("a", 0, "y"));

    Optional<RecordSlice> found = view.recordAt(records.phyOffset(1));

    assertThat(new String(StoredMessage.decode(found.orElseThrow().bytes(), 0).body())).isEqualTo("y");
    found.get().release();
    for (long wrong : new long[] {-1, 1, records.phyOffset(1) + 1, test.store.log().appendedOffset(), Long.MAX_VALUE}) {
      assertThat(view.recordAt(wrong)).isEmpty();
    }
  }

  @Test
  void shouldFindMessagesByKeyNewestFirst() {
    test.append("a", 0, "1", Map.of("KEYS", "k1 common", "UNIQ_KEY", "U1"));
    test.clock.advance(5000);
    test.append("a", 0, "2", Map.of("KEYS", "k2  common", "UNIQ_KEY", "U2"));
    test.append("b", 0, "3", Map.of("KEYS", "common"));
    test.dispatch();

    assertThat(byKey("a", "common", KeyKind.ANY)).containsExactly("2", "1");
    assertThat(byKey("a", "k1", KeyKind.ANY)).containsExactly("1");
    assertThat(byKey("b", "common", KeyKind.ANY)).containsExactly("3");
    assertThat(byKey("a", "U2", KeyKind.UNIQUE)).containsExactly("2");
    assertThat(byKey("a", "U2", KeyKind.ANY)).containsExactly("2");
    assertThat(byKey("a", "common", KeyKind.UNIQUE)).isEmpty();
    assertThat(byKey("a", "none", KeyKind.ANY)).isEmpty();
    assertThat(view.indexLastTimestamp()).isEqualTo(test.clock.millis());
  }

  /** As RocketMQ 5.5 has it; seen before: no message was found by its tag. */
  @Test
  void shouldFindMessagesByTagApartFromKeys() {
    test.append("a", 0, "1", Map.of("TAGS", "red", "KEYS", "k", "UNIQ_KEY", "U1"));
    test.append("a", 0, "2", Map.of("KEYS", "red"));
    test.append("b", 0, "3", Map.of("TAGS", "red"));
    test.append("a", 0, "4", Map.of("TAGS", "red"));
    test.dispatch();

    assertThat(byKey("a", "red", KeyKind.TAG)).containsExactly("4", "1");
    assertThat(byKey("b", "red", KeyKind.TAG)).containsExactly("3");
    assertThat(byKey("a", "k", KeyKind.TAG)).isEmpty();
    assertThat(byKey("a", "red", KeyKind.ANY)).containsExactly("2");
  }

  @Test
  void shouldIndexUniqueKeyThenKeysThenTag() throws IOException {
    test.append("a", 0, "1", Map.of("TAGS", "red", "KEYS", "k1 k2", "UNIQ_KEY", "U1"));
    test.append(Topics.SCHEDULE, 0, "2", Map.of("TAGS", "red", "DELAY", "1"));
    test.dispatch();

    List<Integer> hashes = new ArrayList<>();
    try (Stream<Path> files = Files.list(TestStore.options(root).index())) {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(files.findFirst().orElseThrow()));
      for (int entry = 1; entry < bytes.getInt(IndexLayout.NEXT_ENTRY); entry++) {
        hashes.add(bytes.getInt(IndexLayout.entry(TestStore.options(root).indexSlots(), entry) + IndexLayout.KEY_HASH));
      }
    }
    assertThat(hashes).containsExactlyElementsOf(Stream.of("a#U1", "a#k1", "a#k2", "a#T#red", Topics.SCHEDULE + "#T#red")
        .map(key -> IndexLayout.keyHash(key.hashCode())).toList());
  }

  @Test
  void shouldFindMessagesByKeyWithinTheTimesAskedFor() {
    long start = test.clock.millis();
    for (int i = 0; i < 10; i++) {
      test.append("a", 0, "" + i, Map.of("KEYS", "k"));
      test.clock.advance(1000);
    }
    test.dispatch();

    List<RecordSlice> found = view.byKey("a", "k", 32, start + 2000, start + 4000, KeyKind.ANY);

    assertThat(found).hasSize(3);
    found.forEach(RecordSlice::release);
  }

  @Test
  void shouldTellOneKeyFromAnotherWithTheSameHash() {
    test.append("a", 0, "1", Map.of("KEYS", "Aa"));
    test.append("a", 0, "2", Map.of("KEYS", "BB"));
    test.dispatch();

    assertThat(byKey("a", "Aa", KeyKind.ANY)).containsExactly("1");
    assertThat(byKey("a", "BB", KeyKind.ANY)).containsExactly("2");
  }

  @Test
  void shouldIndexOverManyFiles() {
    for (int i = 0; i < 3000; i++) {
      test.append("a", 0, "" + i, Map.of("KEYS", "k" + i));
    }
    test.dispatch();

    for (int i = 0; i < 3000; i += 7) {
      assertThat(byKey("a", "k" + i, KeyKind.ANY)).containsExactly("" + i);
    }
  }

  @Test
  void shouldCallTheEndOfAQueueHot() {
    fill("a", 10);

    assertThat(view.isHot("a", 0, 9)).isTrue();
    assertThat(view.isHot("a", 0, 10)).isTrue();
    assertThat(view.isHot("none", 0, 10)).isTrue();
    assertThat(view.isHot(test.store.log().appendedOffset())).isTrue();
  }

  /** What was written so far, as the next process finds it. */
  private TestStore reopened(Path copy) {
    test.checkpoint();
    TestStore.copy(root, copy.resolve("store"));
    return TestStore.open(copy.resolve("store"));
  }

  @Test
  void shouldCallAQueueColdUntilItsFirstOffsetIsKnown(@TempDir Path copy) {
    fill("a", 10);

    try (TestStore again = reopened(copy)) {
      assertThat(again.store.view().isHot("a", 0, 9)).isFalse();
      again.store.view().minOffset("a", 0);
      assertThat(again.store.view().isHot("a", 0, 9)).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"0,32", "1,1", "1990,32", "2000,32", "2001,32", "-1,32", "500,0"})
  void shouldGiveWhatIsHotAsAnyRead(long queueOffset, int maxMessages) {
    openWithLongFiles();
    fill("a", 2000);
    view.minOffset("a", 0);

    GetResult hot = view.getIfHot("a", 0, queueOffset, maxMessages, 1 << 20, () -> code -> true).orElseThrow();

    GetResult any = get(queueOffset, maxMessages, 1 << 20);
    assertThat(hot).usingRecursiveComparison().ignoringFields("slices").isEqualTo(any);
    assertThat(TestStore.messages(hot)).extracting(StoredMessage::queueOffset)
        .isEqualTo(TestStore.messages(any).stream().map(StoredMessage::queueOffset).toList());
    hot.release();
    any.release();
  }

  @Test
  void shouldNotTakeUnitsOfAnotherReadForThoseOfAHotOne() {
    openWithLongFiles();
    fill("a", 2000);
    fill("b", 5);
    view.minOffset("a", 0);
    view.getIfHot("a", 0, 5, 32, 1 << 20, () -> code -> true).orElseThrow().release();

    assertThat(view.getIfHot("b", 0, 5, 32, 1 << 20, () -> code -> true).orElseThrow().status()).isEqualTo(GetStatus.OFFSET_OVERFLOW_ONE);
    fill("b", 1);

    GetResult result = view.getIfHot("b", 0, 5, 32, 1 << 20, () -> code -> true).orElseThrow();
    assertThat(TestStore.messages(result)).extracting(StoredMessage::topic).containsExactly("b");
    result.release();
  }

  /** Of the log and of queues: the beginning of a queue in shorter ones is cold. */
  private void openWithLongFiles() {
    test.close();
    test = TestStore.open(StoreOptions.of(root.resolve("long")).withSizes(16 << 20, 200_000, 64, 512));
    view = test.store.view();
  }

  @Test
  void shouldGiveNothingOfWhatIsCold(@TempDir Path copy) {
    fill("a", 10);

    try (TestStore again = reopened(copy)) {
      assertThat(again.store.view().getIfHot("a", 0, 9, 32, 1 << 20, () -> code -> true)).isEmpty();
      assertThat(again.store.view().getIfHot("a", 7, 9, 32, 1 << 20, () -> code -> true).orElseThrow().status())
          .isEqualTo(GetStatus.NO_MATCHED_LOGIC_QUEUE);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldGiveNothingThatIsOlderThanTheStartAndNotInMemory() throws IOException {
    // So long that nobody who looks at an end reads the middle ahead.
    StoreOptions options = StoreOptions.of(root.resolve("longest")).withSizes(48 << 20, 200_000, 64, 512);
    try (TestStore before = TestStore.open(options)) {
      for (int i = 0; i < 160; i++) {
        before.append("a", 0, "x".repeat(250_000));
      }
      before.dispatch();
    }
    takeOutOfMemory(options.commitLog().resolve(FileNames.ofStart(0)));
    test.close();
    test = TestStore.open(options);
    view = test.store.view();
    assumeFalse(isLoaded(20_000_000), "this file system keeps in memory what is written past it");
    assertThat(view.minOffset("a", 0)).as("known from here on").isZero();

    assertThat(view.getIfHot("a", 0, 80, 1, 1 << 20, () -> code -> true)).isEmpty();

    GetResult cold = get(80, 1, 1 << 20);
    assertThat(TestStore.messages(cold)).hasSize(1);
    cold.release();
    view.getIfHot("a", 0, 80, 1, 1 << 20, () -> code -> true).orElseThrow().release();
  }

  /** Writes the file's own bytes over it past the page cache, which then loses what it had of them. */
  private static void takeOutOfMemory(Path file) throws IOException {
    int block = (int) Files.getFileStore(file).getBlockSize();
    byte[] content = Files.readAllBytes(file);
    ByteBuffer aligned = ByteBuffer.allocateDirect(content.length + block).alignedSlice(block).limit(content.length).put(content).flip();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
      assertThat(channel.write(aligned)).isEqualTo(content.length);
    } catch (IOException | UnsupportedOperationException refused) {
      assumeFalse(true, "this file system has no way past the page cache: " + refused);
    }
  }

  private boolean isLoaded(long phyOffset) {
    LogRange range = view.range(phyOffset, phyOffset + 1).orElseThrow();
    boolean loaded = range.isLoaded();
    range.release();
    return loaded;
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldTellARangeThatIsInMemoryFromOneThatIsNot() {
    openWithLongFiles();
    fill("a", 10);

    LogRange written = view.range(0, 100).orElseThrow();
    LogRange untouched = view.range((16 << 20) - 4096, 16 << 20).orElseThrow();

    assertThat(written.isLoaded()).isTrue();
    assertThat(untouched.isLoaded()).isFalse();
    written.release();
    untouched.release();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldReadTheUnitsOfAHotReadOnce() throws IOException {
    openWithLongFiles();
    fill("a", 4000);
    view.minOffset("a", 0);
    view.getIfHot("a", 0, 0, 32, 1 << 20, () -> code -> true).orElseThrow().release();
    long idle = reads() - reads();

    long before = reads();
    for (int i = 0; i < 100; i++) {
      view.getIfHot("a", 0, i * 20, 32, 1 << 20, () -> code -> true).orElseThrow().release();
    }

    assertThat(reads() - before + idle).as("two for each would be 200; the JVM may read something, too").isBetween(50L, 150L);
  }

  /** How many reads of files this thread has asked the system for. */
  private static long reads() throws IOException {
    return Files.readAllLines(Path.of("/proc/thread-self/io")).stream()
        .filter(line -> line.startsWith("syscr: ")).mapToLong(line -> Long.parseLong(line.substring(7))).sum();
  }

  @Test
  void shouldCopyASliceAsItStands() {
    fill("a", 10);

    GetResult result = get(3, 2, 1 << 20);

    RecordSlice slice = result.slices().get(0);
    ByteBuffer target = ByteBuffer.allocateDirect(7 + slice.size()).position(7);
    slice.copyTo(target);
    assertThat(target.hasRemaining()).isFalse();
    assertThat(target.position(7)).isEqualTo(slice.bytes());
    result.release();
  }

  @Test
  void shouldGiveDeliveryTimesAsTagsCodesOfParkedMessages() {
    test.append("SCHEDULE_TOPIC_XXXX", 2, "x", Map.of("DELAY", "3", "TAGS", "t"));
    test.append("SCHEDULE_TOPIC_XXXX", 2, "y", Map.of("TAGS", "t"));
    test.append("a", 0, "z", Map.of("DELAY", "3", "TAGS", "t"));
    test.dispatch();
    UnitWindow window = new UnitWindow(4);

    assertThat(view.readUnits("SCHEDULE_TOPIC_XXXX", 2, 0, 4, window)).isEqualTo(2);
    assertThat(window.tagsCode(0)).isEqualTo(test.clock.millis() + 1000);
    assertThat(window.tagsCode(1)).isZero();
    view.readUnits("a", 0, 0, 4, window);
    assertThat(window.tagsCode(0)).isEqualTo("t".hashCode());
  }

  private void fill(String topic, int count) {
    for (int i = 0; i < count; i++) {
      test.append(topic, 0, "m" + i);
    }
    test.dispatch();
  }

  private GetResult get(long queueOffset, int maxMessages, int maxBytes) {
    return view.get("a", 0, queueOffset, maxMessages, maxBytes, code -> true);
  }

  private List<String> byKey(String topic, String key, KeyKind kind) {
    List<RecordSlice> found = view.byKey(topic, key, 32, 0, Long.MAX_VALUE, kind);
    List<String> bodies = found.stream().map(slice -> new String(StoredMessage.decode(slice.bytes(), 0).body())).toList();
    found.forEach(RecordSlice::release);
    return bodies;
  }
}
