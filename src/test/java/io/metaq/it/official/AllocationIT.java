package io.metaq.it.official;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.Allocation;
import io.metaq.client.TopicQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMachineRoomNearby;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragelyByCircle;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueByMachineRoom;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueConsistentHash;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;

/** The strategies by which our client divides queues, beside those of official clients: the same lists give every member the same queues. */
class AllocationIT {
  private static final int ROUNDS = 300;

  @Test
  void shouldAverageAlike() {
    compare(Allocation.AVERAGE, new AllocateMessageQueueAveragely());
  }

  @Test
  void shouldDealOutAlike() {
    compare(Allocation.CIRCLE, new AllocateMessageQueueAveragelyByCircle());
  }

  @Test
  void shouldHashAlike() {
    compare(Allocation.CONSISTENT_HASH, new AllocateMessageQueueConsistentHash());
    compare(Allocation.consistentHash(3), new AllocateMessageQueueConsistentHash(3));
  }

  @Test
  void shouldKeepToRoomsAlike() {
    AllocateMessageQueueByMachineRoom official = new AllocateMessageQueueByMachineRoom();
    official.setConsumeridcs(Set.of("room0", "room2"));

    compare(Allocation.rooms(Set.of("room0", "room2")), official);
  }

  @Test
  void shouldPreferTheSameRoomAlike() {
    AllocateMachineRoomNearby official = new AllocateMachineRoomNearby(
        new AllocateMessageQueueAveragely(), new AllocateMachineRoomNearby.MachineRoomResolver() {
          @Override
          public String brokerDeployIn(MessageQueue queue) {
            return queue.getBrokerName().split("@")[0];
          }

          @Override
          public String consumerDeployIn(String clientId) {
            return clientId.split("-")[0];
          }
        });

    compare(Allocation.nearby(Allocation.AVERAGE, broker -> broker.split("@")[0], member -> member.split("-")[0]), official);
  }

  private static void compare(Allocation ours, AllocateMessageQueueStrategy official) {
    Random random = new Random(42);
    for (int round = 0; round < ROUNDS; round++) {
      List<MessageQueue> queues = queues(random);
      List<String> members = IntStream.range(0, 1 + random.nextInt(9))
          .mapToObj(i -> "room" + random.nextInt(3) + "-client" + i + "@" + random.nextInt(1000)).sorted().toList();
      List<TopicQueue> shuffled = new ArrayList<>(queues.stream().map(AllocationIT::ours).toList());
      Collections.shuffle(shuffled, random);
      for (String member : members) {
        List<TopicQueue> wanted =
            queues.isEmpty() ? List.of() : official.allocate("g", member, queues, members).stream().map(AllocationIT::ours).toList();

        assertThat(ours.share(shuffled, members, member)).as("share of %s of %s among %s", member, queues, members)
            .containsExactlyInAnyOrderElementsOf(wanted);
      }
    }
  }

  private static List<MessageQueue> queues(Random random) {
    List<MessageQueue> queues = new ArrayList<>();
    for (int broker = 0; broker < random.nextInt(5); broker++) {
      String name = "room" + random.nextInt(4) + "@broker" + broker;
      for (int id = 0; id < 1 + random.nextInt(8); id++) {
        queues.add(new MessageQueue("T", name, id));
      }
    }
    Collections.sort(queues);
    return queues;
  }

  private static TopicQueue ours(MessageQueue queue) {
    return new TopicQueue(queue.getTopic(), queue.getBrokerName(), queue.getQueueId());
  }
}
