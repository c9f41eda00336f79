package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.cli.ClusterPlan.Node;
import io.metaq.cli.ClusterPlan.Wish;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterPlanTest {
  private static final Path DATA = Path.of("data");

  @Test
  void shouldStartTheNameServerBeforeMastersAndMastersBeforeSlaves() {
    ClusterPlan plan = ClusterPlan.of(new Wish(2, 1, true, DATA, 9876, Map.of()));

    assertThat(plan.tiers()).extracting(tier -> tier.stream().map(Node::name).toList()).containsExactly(
        List.of("nameserver"), List.of("broker-a", "broker-b"), List.of("broker-a-slave-1", "broker-b-slave-1"));
  }

  @Test
  void shouldSpreadThePortsSoThatNoNodeTakesAnothersNeighbour() {
    ClusterPlan plan = ClusterPlan.of(new Wish(9, 9, false, DATA, 9876, Map.of()));

    Set<Integer> ports = new HashSet<>();
    for (Node node : plan.nodes()) {
      assertThat(ports.add(node.port())).isTrue();
      if (!node.name().equals("nameserver")) {
        assertThat(ports.add(node.port() - 2)).as("VIP channel of " + node.name()).isTrue();
        assertThat(ports.add(node.port() + 1)).as("replication of " + node.name()).isTrue();
      }
    }
    assertThat(plan.nodes().get(0).address()).isEqualTo("127.0.0.1:9876");
    assertThat(plan.nodes().get(1).address()).isEqualTo("127.0.0.1:10911");
  }

  @Test
  void shouldGiveEachNodeItsRoleAndItsFolder() {
    List<Node> nodes = ClusterPlan.of(new Wish(1, 2, true, DATA, 9876, Map.of())).nodes();

    assertThat(nodes.get(1).arguments()).containsSequence("--data", "data/broker-a")
        .contains("brokerName=broker-a", "brokerRole=SYNC_MASTER", "brokerId=0", "slaveReadEnable=true").containsSequence("-n", "127.0.0.1:9876");
    assertThat(nodes.get(3).arguments()).containsSequence("--data", "data/broker-a-slave-2")
        .contains("brokerName=broker-a", "brokerRole=SLAVE", "brokerId=2", "slaveReadEnable=true");
    assertThat(nodes.get(3).what()).isEqualTo("broker-a slave 2");
  }

  @Test
  void shouldNotSendReadersToSlavesThatAreNotThere() {
    assertThat(ClusterPlan.of(new Wish(1, 0, false, DATA, 9876, Map.of())).nodes().get(1).arguments())
        .contains("brokerRole=ASYNC_MASTER", "slaveReadEnable=false");
  }

  @Test
  void shouldPassTheUsersKeysOnToBrokersButKeepTheRoles() {
    List<Node> nodes =
        ClusterPlan.of(new Wish(1, 1, false, DATA, 9876, Map.of("flushDiskType", "SYNC_FLUSH", "brokerId", "7"))).nodes();

    assertThat(nodes.get(0).arguments()).doesNotContain("flushDiskType=SYNC_FLUSH");
    assertThat(nodes.get(1).arguments()).contains("flushDiskType=SYNC_FLUSH", "brokerId=0").doesNotContain("brokerId=7");
    assertThat(nodes.get(2).arguments()).contains("flushDiskType=SYNC_FLUSH", "brokerId=1");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "0  | 0  | false | 9876  | --masters must be from 1 to 9, not 0",
      "10 | 0  | false | 9876  | --masters must be from 1 to 9, not 10",
      "1  | -1 | false | 9876  | --slaves must be from 0 to 9, not -1",
      "1  | 10 | false | 9876  | --slaves must be from 0 to 9, not 10",
      "1  | 0  | true  | 9876  | --sync needs --slaves 1 or more: a synchronous master answers when a slave has the message, too",
      "1  | 0  | false | 0     | --base-port must be from 1 to 64499 for so many nodes, not 0",
      "1  | 0  | false | 64500 | --base-port must be from 1 to 64499 for so many nodes, not 64500",
  })
  void shouldSayWhatIsWrongWithAWish(int masters, int slaves, boolean sync, int basePort, String fault) {
    assertThat(new Wish(masters, slaves, sync, DATA, basePort, Map.of()).fault()).isEqualTo(fault);
  }

  @Test
  void shouldHaveNothingAgainstTheLargestWish() {
    assertThat(new Wish(9, 9, true, DATA, 9876, Map.of()).fault()).isEmpty();
    assertThat(new Wish(1, 0, false, DATA, 64_499, Map.of()).fault()).isEmpty();
  }
}
