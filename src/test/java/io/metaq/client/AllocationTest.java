package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllocationTest {
  @Test
  void shouldGiveTheFirstMembersTheLargerRanges() {
    List<TopicQueue> queues = queues(8);
    List<String> members = List.of("c", "a", "b");

    assertThat(ids(Allocation.AVERAGE.share(queues, members, "a"))).containsExactly(0, 1, 2);
    assertThat(ids(Allocation.AVERAGE.share(queues, members, "b"))).containsExactly(3, 4, 5);
    assertThat(ids(Allocation.AVERAGE.share(queues, members, "c"))).containsExactly(6, 7);
  }

  @Test
  void shouldLeaveLateMembersWithoutQueuesWhenThereAreMoreMembersThanQueues() {
    assertThat(Allocation.AVERAGE.share(queues(2), List.of("a", "b", "c"), "c")).isEmpty();
    assertThat(ids(Allocation.AVERAGE.share(queues(2), List.of("a", "b", "c"), "b"))).containsExactly(1);
  }

  @Test
  void shouldGiveNothingToAStranger() {
    assertThat(Allocation.AVERAGE.share(queues(4), List.of("a"), "b")).isEmpty();
  }

  @Test
  void shouldOrderQueuesByBrokerThenId() {
    List<TopicQueue> queues = List.of(new TopicQueue("T", "b", 0), new TopicQueue("T", "a", 1), new TopicQueue("T", "a", 0));

    assertThat(Allocation.AVERAGE.share(queues, List.of("x", "y"), "x"))
        .containsExactly(new TopicQueue("T", "a", 0), new TopicQueue("T", "a", 1));
  }

  @Test
  void shouldCoverEveryQueueExactlyOnceWhateverTheNumbers() {
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      List<TopicQueue> queues = new ArrayList<>(queues(random.nextInt(40)));
      List<String> members = IntStream.range(0, 1 + random.nextInt(12)).mapToObj(i -> "member" + i).toList();

      List<TopicQueue> all = new ArrayList<>();
      Collections.shuffle(queues, random);
      members.forEach(member -> all.addAll(Allocation.AVERAGE.share(queues, members, member)));

      assertThat(all).containsExactlyInAnyOrderElementsOf(queues);
    }
  }

  private static List<TopicQueue> queues(int count) {
    return IntStream.range(0, count).mapToObj(id -> new TopicQueue("T", "b0", id)).toList();
  }

  private static List<Integer> ids(List<TopicQueue> queues) {
    return queues.stream().map(TopicQueue::queueId).toList();
  }
}
