package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FormerReadersTest {
  private static final List<TopicQueue> QUEUES = IntStream.range(0, 60).mapToObj(id -> new TopicQueue("T", "b", id)).toList();

  @Test
  void shouldAskAllOthersOfASmallGroup() {
    List<String> others = members(FormerReaders.ALL_ASKED);

    assertThat(new FormerReaders(Allocation.AVERAGE, QUEUES, List.of()).of(others, QUEUES)).isEqualTo(others);
  }

  @Test
  void shouldAskThoseOfALargeGroupThatHadTheQueues() {
    List<String> others = members(20);

    assertThat(new FormerReaders(Allocation.AVERAGE, QUEUES, others).of(others, QUEUES.subList(2, 4))).containsExactly("m10", "m11");
  }

  @Test
  void shouldAskAsManyAsThereAreQueuesThatMoveWhateverTheStrategyAndTheChange() {
    List<String> before = members(40);
    for (Allocation strategy : List.of(Allocation.AVERAGE, Allocation.CIRCLE, Allocation.CONSISTENT_HASH)) {
      List<String> now = Stream.concat(before.stream().skip(3), Stream.of("m99")).toList();
      for (String self : now) {
        List<TopicQueue> had = strategy.share(QUEUES, before, self);
        List<TopicQueue> gained = strategy.share(QUEUES, now, self).stream().filter(queue -> !had.contains(queue)).toList();
        List<String> others = now.stream().filter(other -> !other.equals(self)).toList();

        List<String> asked = new FormerReaders(strategy, QUEUES, before).of(others, gained);

        assertThat(asked).hasSizeLessThanOrEqualTo(gained.size());
        assertThat(gained).allSatisfy(queue -> assertThat(others.stream()
            .filter(other -> strategy.share(QUEUES, before, other).contains(queue))).allMatch(asked::contains));
      }
    }
  }

  private static List<String> members(int count) {
    return IntStream.range(0, count).mapToObj(i -> "m" + (i + 10)).toList();
  }
}
