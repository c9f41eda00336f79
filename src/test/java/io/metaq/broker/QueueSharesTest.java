package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.client.AssignmentBodies.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueSharesTest {
  private static final List<String> MEMBERS = List.of("c0", "c1", "c2");

  @Test
  void shouldGiveNeighboursAndOneMoreToTheFirst() {
    assertThat(ids(QueueShares.pull("AVG", queues(8), MEMBERS, "c0").orElseThrow())).containsExactly(0, 1, 2);
    assertThat(ids(QueueShares.pull("AVG", queues(8), MEMBERS, "c1").orElseThrow())).containsExactly(3, 4, 5);
    assertThat(ids(QueueShares.pull("AVG", queues(8), MEMBERS, "c2").orElseThrow())).containsExactly(6, 7);
  }

  @Test
  void shouldDealQueuesOutInACircle() {
    assertThat(ids(QueueShares.pull("AVG_BY_CIRCLE", queues(8), MEMBERS, "c1").orElseThrow())).containsExactly(1, 4, 7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"AVG", "AVG_BY_CIRCLE"})
  void shouldGiveEachQueueToExactlyOneMemberHoweverManyThereAre(String strategy) {
    for (int queues = 1; queues < 10; queues++) {
      List<Queue> given = new ArrayList<>();
      for (String member : MEMBERS) {
        given.addAll(QueueShares.pull(strategy, queues(queues), MEMBERS, member).orElseThrow());
      }
      assertThat(given).containsExactlyInAnyOrderElementsOf(queues(queues));
    }
  }

  @Test
  void shouldGiveNothingToStrangersAndNotKnowOtherStrategies() {
    assertThat(QueueShares.pull("AVG", queues(8), MEMBERS, "stranger").orElseThrow()).isEmpty();
    assertThat(QueueShares.pull("MACHINE_ROOM", queues(8), MEMBERS, "c0")).isEmpty();
    assertThat(QueueShares.pop("MACHINE_ROOM", queues(8), MEMBERS, "c0", 1)).isEmpty();
  }

  @Test
  void shouldLetEverybodyPopEachBrokerWhereNothingIsShared() {
    List<Queue> two = List.of(new Queue("a", 0), new Queue("a", 1), new Queue("b", 0));

    assertThat(QueueShares.pop("AVG", two, MEMBERS, "c0", 0).orElseThrow()).containsExactly(new Queue("a", -1), new Queue("b", -1));
    assertThat(QueueShares.pop("AVG", two, MEMBERS, "c0", 2).orElseThrow()).containsExactly(new Queue("a", -1), new Queue("b", -1));
  }

  @Test
  void shouldLetAMemberPopItsOwnQueuesAndThoseOfTheNext() {
    assertThat(ids(QueueShares.pop("AVG", queues(6), MEMBERS, "c2", 1).orElseThrow())).containsExactlyInAnyOrder(4, 5, 0, 1);
  }

  @Test
  void shouldLetEachMemberPopOneQueueWhereThereAreFewerQueues() {
    assertThat(ids(QueueShares.pop("AVG", queues(2), MEMBERS, "c2", 1).orElseThrow())).containsExactly(0);
  }

  private static List<Queue> queues(int count) {
    return IntStream.range(0, count).mapToObj(id -> new Queue("a", id)).toList();
  }

  private static List<Integer> ids(List<Queue> queues) {
    return queues.stream().map(Queue::queueId).toList();
  }
}
