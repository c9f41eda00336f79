package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.Position;
import io.metaq.client.TopicQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who reads with whom, how far ahead, and what is kept, of a topic in memory. */
class TopicStreamsTest {
  private static final Wanted ALL = wanted("*");
  private static final Wanted SOME = wanted("some");
  private static final Wanted RARE = wanted("rare");
  private static final int LOTS = 1_000_000;

  private final Random random = new Random(7);
  private HandTopic topic = new HandTopic(1, 10, random);
  private TopicStreams streams = new TopicStreams(topic);

  private static Wanted wanted(String filter) {
    return Wanted.of(HandDelivery.TOPIC, Optional.empty(), Optional.of(filter), Optional.empty(), Position.LATEST);
  }

  /** One reader with all it got. */
  private final class Page {
    private final Wanted wanted;
    private final ReadPosition begin;
    private final Room room = new Room(0);
    private final HandOutlet outlet = new HandOutlet();
    private final PrivateReading reading;

    Page(Wanted wanted, ReadPosition begin, boolean atEnd) {
      this.wanted = wanted;
      this.begin = begin.copy();
      this.reading = new PrivateReading(streams, wanted, begin.copy(), atEnd, room, outlet);
    }

    Page credit(long more) {
      room.add(more);
      reading.more();
      return this;
    }

    int got() {
      return outlet.got().size();
    }

    /** Each message behind where it began exactly once, in each queue in its order, and the position behind each. */
    void assertExact(boolean complete) {
      ReadPosition at = begin.copy();
      Map<TopicQueue, Long> next = new HashMap<>(at.offsets());
      for (HandOutlet.Got item : outlet.got()) {
        TopicQueue queue = item.queue();
        long queueOffset = next.get(queue);
        while (!HandTopic.passes(wanted, queueOffset)) {
          queueOffset++;
        }
        assertThat(item.queueOffset()).isEqualTo(queueOffset);
        next.put(queue, queueOffset + 1);
        at.passed(queue, queueOffset);
        if (queueOffset % 8 == 0) {
          assertThat(item.position()).isEqualTo(at.text());
        }
      }
      assertThat(reading.position()).isEqualTo(at.text());
      if (complete) {
        next.forEach((queue, from) -> {
          for (long left = from; left < topic.end(queue.queueId()); left++) {
            assertThat(HandTopic.passes(wanted, left)).as("not brought: " + queue + " " + left).isFalse();
          }
        });
      }
    }
  }

  private Page page() {
    return new Page(ALL, topic.endPosition(), true);
  }

  private List<Page> pages(int count) {
    return IntStream.range(0, count).mapToObj(i -> page()).toList();
  }

  @Test
  void shouldReadOnceForAllWhoAreAtTheEnd() {
    List<Page> pages = pages(100);
    pages.forEach(page -> page.credit(LOTS));
    topic.appendAnywhere(500);
    topic.giveAll();

    assertThat(topic.begun()).isEqualTo(1);
    pages.forEach(page -> page.assertExact(true));
  }

  @Test
  void shouldGiveThoseWhoFellOffTogetherOneSecondStreamAndThenTheFirst() {
    Page quick = page().credit(LOTS);
    List<Page> slow = pages(1000);
    slow.forEach(page -> page.credit(1));
    topic.appendAnywhere(201);
    topic.giveAll();
    assertThat(quick.got()).isEqualTo(201);
    assertThat(streams.count()).isEqualTo(1);

    slow.forEach(page -> page.credit(20));
    assertThat(streams.count()).isEqualTo(2);
    slow.forEach(page -> page.credit(LOTS));
    topic.giveAll();

    slow.forEach(page -> page.assertExact(true));
    assertThat(topic.begun()).isEqualTo(2);
    assertThat(streams.count()).isEqualTo(1);
    topic.appendAnywhere(10);
    topic.giveAll();
    slow.forEach(page -> page.assertExact(true));
    quick.assertExact(true);
    assertThat(topic.begun()).isEqualTo(2);
  }

  @Test
  void shouldWaitForAllWhenNoneHasRoom() {
    List<Page> pages = pages(100);
    pages.forEach(page -> {
      page.outlet.takeAtOnce(false);
      page.credit(LOTS);
    });
    topic.appendAnywhere(2000);
    while (pages.get(0).got() < 2000) {
      topic.giveAll();
      pages.forEach(page -> page.outlet.writeAll());
    }

    pages.forEach(page -> page.assertExact(true));
    assertThat(topic.begun()).isEqualTo(1);
  }

  @Test
  void shouldNotWaitForAReaderWithoutRoom() {
    Page frozen = page().credit(3);
    Page quick = page().credit(LOTS);
    topic.appendAnywhere(5000);
    topic.giveAll();

    assertThat(frozen.got()).isEqualTo(3);
    quick.assertExact(true);
    frozen.credit(LOTS);
    topic.giveAll();
    frozen.assertExact(true);
  }

  @Test
  void shouldAskForNoMoreThanTheFastestReaderTakes() {
    Page first = page().credit(5);
    page().credit(3);
    assertThat(topic.readers().get(0).demand()).isEqualTo(5);

    topic.appendAnywhere(100);
    topic.giveAll();

    assertThat(first.got()).isEqualTo(5);
    assertThat(topic.readers().get(0).demand()).isZero();
  }

  @Test
  void shouldNotLoseALoneReaderWhoseMessagesAreLarge() {
    topic = new HandTopic(1, 3_000_000, random);
    streams = new TopicStreams(topic);
    Page page = page();
    page.outlet.takeAtOnce(false);
    page.credit(LOTS);
    topic.appendAnywhere(60);
    while (page.got() < 60) {
      topic.giveAll();
      page.outlet.writeOne();
    }

    page.assertExact(true);
    assertThat(topic.begun()).isEqualTo(1);
  }

  @Test
  void shouldKeepNoMoreThanItsShareOfBytes() {
    topic = new HandTopic(1, 100_000, random);
    streams = new TopicStreams(topic);
    Page page = page().credit(LOTS);
    topic.appendAnywhere(120);
    topic.giveAll();
    page.assertExact(true);

    TopicStream stream = streams.at(ALL, topic.endPosition(), true);
    assertThat(stream.covers(position(120 - 50))).isTrue();
    assertThat(stream.covers(position(120 - 60))).isFalse();
  }

  @Test
  void shouldCountPositionsOfManyQueuesAmongWhatItKeeps() {
    topic = new HandTopic(1000, 10, random);
    streams = new TopicStreams(topic);
    Page page = page().credit(LOTS);
    IntStream.range(0, 10).forEach(i -> new Page(wanted("other" + i), topic.endPosition(), true).credit(1));
    IntStream.range(0, 120).forEach(i -> topic.append(0));
    topic.giveAll();
    page.assertExact(true);

    TopicStream stream = streams.at(ALL, topic.endPosition(), true);
    assertThat(stream.covers(behind(40))).isTrue();
    assertThat(stream.covers(behind(60))).isFalse();
  }

  /** So many messages before the end of the first queue. */
  private ReadPosition behind(int messages) {
    ReadPosition position = topic.endPosition();
    position.passed(HandTopic.queue(0), topic.end(0) - messages - 1);
    return position;
  }

  @Test
  void shouldKeepNothingForManyLoneReaders() {
    topic.appendAnywhere(100 * 1000);
    List<Page> pages = IntStream.range(0, 100).mapToObj(i -> new Page(ALL, position(i * 1000L), false).credit(10)).toList();
    topic.giveAll();
    assertThat(streams.count()).isEqualTo(100);
    pages.forEach(page -> page.credit(10));
    topic.giveAll();

    assertThat(streams.at(ALL, position(20), false).covers(position(19))).isFalse();
    assertThat(streams.count()).isEqualTo(100);
    pages.forEach(page -> assertThat(page.got()).isEqualTo(20));
    pages.forEach(page -> page.assertExact(false));
  }

  @Test
  void shouldMergeAReaderFromTheBeginningWithThoseAtTheEnd() {
    topic = new HandTopic(4, 10, random);
    streams = new TopicStreams(topic);
    ReadPosition beginning = topic.endPosition();
    topic.appendAnywhere(3000);
    Page live = page().credit(LOTS);
    Page whole = new Page(ALL, beginning, false).credit(LOTS);
    assertThat(streams.count()).isEqualTo(2);
    topic.giveAll();
    whole.assertExact(true);
    for (int queueId = 0; queueId < 4; queueId++) {
      topic.append(queueId);
      topic.giveAll();
    }

    assertThat(streams.count()).isEqualTo(1);
    whole.assertExact(true);
    live.assertExact(true);
  }

  @Test
  void shouldShareAtTheEndUnderAFilterThatLetsLittlePass() {
    topic.append(0);
    List<Page> pages = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      pages.add(new Page(RARE, topic.endPosition(), true).credit(LOTS));
      // None of these passes, so here nobody sees that the topic went on.
      IntStream.range(0, 300).forEach(none -> topic.append(0));
      topic.giveAll();
    }
    assertThat(topic.begun()).isEqualTo(1);

    IntStream.range(0, HandTopic.RARELY).forEach(any -> topic.append(0));
    topic.giveAll();

    pages.forEach(page -> page.assertExact(true));
    assertThat(pages.get(49).got()).isEqualTo(1);
  }

  @Test
  void shouldEndAStreamWithItsLastReader() {
    List<Page> pages = pages(3);
    pages.forEach(page -> page.credit(10));
    pages.get(0).reading.stop();
    pages.get(1).reading.stop();
    assertThat(topic.open()).isEqualTo(1);

    pages.get(2).reading.stop();

    assertThat(topic.open()).isZero();
    assertThat(streams.count()).isZero();
  }

  @Test
  void shouldTellEveryReaderOnceWhenItsStreamFails() {
    List<Page> pages = pages(5);
    pages.forEach(page -> page.credit(10));
    Page other = new Page(SOME, topic.endPosition(), true).credit(10);
    IllegalStateException broken = new IllegalStateException("broken");

    topic.readers().get(0).fail(broken);

    pages.forEach(page -> assertThat(page.outlet.failure()).isSameAs(broken));
    assertThat(other.outlet.failure()).isNull();
    assertThat(streams.count()).isEqualTo(1);
    pages.forEach(page -> page.credit(10));
    assertThat(streams.count()).isEqualTo(1);
    Page next = page().credit(10);
    topic.appendAnywhere(5);
    topic.giveAll();
    next.assertExact(true);
  }

  @Test
  void shouldBearThatReadersLeaveWhileTheyAreTold() {
    List<Page> pages = pages(10);
    pages.forEach(page -> page.credit(LOTS));
    pages.get(0).outlet.onMessage(() -> pages.subList(0, 6).forEach(page -> page.reading.stop()));
    pages.get(9).outlet.onMessage(() -> pages.forEach(page -> page.reading.stop()));
    topic.appendAnywhere(5);
    topic.giveAll();

    assertThat(pages.stream().map(Page::got)).containsExactly(1, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    assertThat(topic.open()).isZero();
    assertThat(streams.count()).isZero();
  }

  @Test
  void shouldBringAQueueThatBeganAnewToThoseInStepAndToThoseFurther() {
    topic = new HandTopic(2, 10, random);
    streams = new TopicStreams(topic);
    Page first = page().credit(LOTS);
    topic.append(0);
    topic.append(1);
    topic.giveAll();
    ReadPosition further = topic.endPosition();
    further.passed(HandTopic.queue(1), 20);
    Page second = new Page(ALL, further, true).credit(LOTS);
    assertThat(streams.count()).isEqualTo(1);

    topic.beginAnew(1);
    topic.append(1);
    topic.giveAll();

    assertThat(first.got()).isEqualTo(3);
    assertThat(second.got()).isEqualTo(1);
    assertThat(second.reading.position()).isEqualTo(first.reading.position());
  }

  @Test
  void shouldGoOnInOneStreamWithPositionsNobodyGaveOut() {
    Map<TopicQueue, Long> forged = new HashMap<>(topic.endPosition().offsets());
    for (int queueId = 1; queueId < 1000; queueId++) {
      forged.put(HandTopic.queue(queueId), Long.MAX_VALUE - queueId);
    }
    String text = ReadPosition.of(HandDelivery.TOPIC, forged).text();
    Page usual = page().credit(LOTS);
    Page odd = new Page(ALL, ReadPosition.parse(HandDelivery.TOPIC, text), true).credit(LOTS);

    topic.appendAnywhere(500);
    topic.giveAll();

    assertThat(usual.got()).isEqualTo(500);
    assertThat(odd.got()).isEqualTo(500);
  }

  /** Rooms, joins, leaves, resumes, failures of the network to take anything: whatever happens, each reader gets exactly its messages. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void shouldBringEveryReaderExactlyItsMessages(int seed) {
    random.setSeed(seed);
    topic = new HandTopic(1 + seed % 4, seed % 3 == 0 ? 20_000 : 10, random);
    streams = new TopicStreams(topic);
    topic.giveAtOnce(seed % 2 == 0);
    ReadPosition beginning = topic.endPosition();
    List<Page> pages = new ArrayList<>();
    List<Page> left = new ArrayList<>();
    for (int step = 0; step < 2500; step++) {
      Page page = pages.isEmpty() ? null : pages.get(random.nextInt(pages.size()));
      switch (random.nextInt(page == null ? 2 : 12)) {
        case 0 -> pages.add(begin(beginning, left));
        case 1, 2 -> topic.appendAnywhere(random.nextInt(random.nextInt(20) == 0 ? 300 : 5));
        case 3, 4 -> page.credit(random.nextInt(40));
        case 5 -> page.outlet.takeAtOnce(random.nextBoolean());
        case 6, 7 -> page.outlet.writeAll();
        case 8 -> page.outlet.writeOne();
        case 9 -> {
          if (random.nextInt(4) == 0) {
            page.reading.stop();
            pages.remove(page);
            left.add(page);
          }
        }
        default -> topic.readers().forEach(reader -> {
          for (int i = random.nextInt(60); i > 0; i--) {
            reader.give();
          }
        });
      }
    }
    for (int round = 0; round < 3; round++) {
      pages.forEach(page -> {
        page.outlet.takeAtOnce(true);
        page.outlet.writeAll();
        page.credit(LOTS);
      });
      topic.giveAll();
      for (int queueId = 0; queueId < 1 + seed % 4; queueId++) {
        for (int i = 0; i < 5; i++) {
          topic.append(queueId);
        }
        topic.giveAll();
      }
    }

    assertThat(pages).hasSizeGreaterThan(20);
    pages.forEach(page -> page.assertExact(true));
    left.forEach(page -> page.assertExact(false));
    assertThat(streams.count()).as("one for each filter").isEqualTo(2).isEqualTo(topic.open());
    pages.forEach(page -> page.reading.stop());
    assertThat(streams.count()).isZero();
    assertThat(topic.open()).isZero();
  }

  /** At the end, at the beginning, or where another left. */
  private Page begin(ReadPosition beginning, List<Page> left) {
    Wanted wanted = random.nextInt(3) == 0 ? SOME : ALL;
    int where = random.nextInt(4);
    if (where == 0 && !left.isEmpty()) {
      Page before = left.get(random.nextInt(left.size()));
      return new Page(before.wanted, ReadPosition.parse(HandDelivery.TOPIC, before.reading.position()), false);
    }
    return where == 1 ? new Page(wanted, beginning, false) : new Page(wanted, topic.endPosition(), true);
  }

  private static ReadPosition position(long queueOffset) {
    return ReadPosition.of(HandDelivery.TOPIC, Map.of(HandTopic.queue(0), queueOffset));
  }
}
