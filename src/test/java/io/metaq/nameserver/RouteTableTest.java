package io.metaq.nameserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.codec.registry.BrokerData;
import io.metaq.codec.registry.QueueData;
import io.metaq.codec.registry.RegisterBody;
import io.metaq.codec.registry.TopicRoute;
import io.metaq.model.DataVersion;
import io.metaq.model.Perm;
import io.metaq.model.TopicConfig;
import io.metaq.nameserver.RegisterOutcome.Accepted;
import io.metaq.nameserver.RegisterOutcome.Master;
import io.metaq.nameserver.RegisterOutcome.Outdated;
import io.metaq.nameserver.RegisterOutcome.Refused;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RouteTableTest {
  private static final String MASTER = "10.0.0.1:10911";
  private static final String SLAVE = "10.0.0.2:10911";
  private static final long TIMEOUT_MS = 120_000;

  private final HandClock clock = new HandClock();
  private final RouteTable routes = new RouteTable(clock);

  @Test
  void shouldShowTheTopicsOfARegisteredMaster() {
    RegisterOutcome outcome = register(broker("b0").topics("T", "U"));

    assertThat(outcome).isEqualTo(new Accepted(true, Optional.empty()));
    TopicRoute route = routes.route("T", false).orElseThrow();
    assertThat(route.queues()).containsExactly(new QueueData("b0", 4, 4, Perm.READ_WRITE, 0));
    assertThat(route.brokers()).singleElement().satisfies(broker -> {
      assertThat(broker.brokerName()).isEqualTo("b0");
      assertThat(broker.cluster()).isEqualTo("c0");
      assertThat(broker.masterAddress()).contains(MASTER);
    });
    assertThat(routes.topics()).containsExactly("T", "U");
  }

  @Test
  void shouldKnowNoRouteOfAnUnknownTopic() {
    register(broker("b0").topics("T", "U"));

    assertThat(routes.route("V", false)).isEmpty();
  }

  @Test
  void shouldJoinTheBrokersOfATopic() {
    register(broker("b0").topics("T", "U"));
    register(broker("b1").at("10.0.1.1:10911").topics("T", "V"));

    assertThat(routes.route("T", false).orElseThrow().brokers()).extracting(BrokerData::brokerName).containsExactly("b0", "b1");
  }

  @Test
  void shouldRefuseAFirstRegistrationOfOneTopicAndTakeItAsAnIncrementLater() {
    RegisterOutcome early = register(broker("b0").topics("T"));
    register(broker("b0").topics("U", "V"));
    RegisterOutcome increment = register(broker("b0").topics("T").version(2));

    assertThat(early).isInstanceOf(Refused.class);
    assertThat(increment).isEqualTo(new Accepted(false, Optional.empty()));
    assertThat(routes.topics()).containsExactly("T", "U", "V");
  }

  @Test
  void shouldTakeAFirstRegistrationWithoutTopics() {
    assertThat(register(broker("b0").topics())).isEqualTo(new Accepted(true, Optional.empty()));
    assertThat(routes.topics()).isEmpty();
    assertThat(routes.cluster(false).brokers()).extracting(BrokerData::brokerName).containsExactly("b0");
  }

  /** It looked like this: a broker that was being drained was offered to producers again as soon as any of its topics changed. */
  @Test
  void shouldLeaveWipedWhatABrokerTellsNothingNewAbout() {
    register(broker("b0").topics("T", "U"));
    routes.wipeWritePerm("b0");

    register(broker("b0").topics("T", "U"));
    int sameVersion = perm("T");
    register(broker("b0").topics("T", "U", "new").version(2));
    int newVersion = perm("T");
    register(broker("b0").topics("T", "U").permitting(Perm.READ_WRITE | Perm.INHERIT).version(3));

    assertThat(sameVersion).isEqualTo(Perm.READ);
    assertThat(newVersion).isEqualTo(Perm.READ);
    assertThat(perm("new")).as("told for the first time").isEqualTo(Perm.READ_WRITE);
    assertThat(perm("T")).as("told anew").isEqualTo(Perm.READ_WRITE | Perm.INHERIT);
  }

  @Test
  void shouldOpenWhatWasWipedWhenTheBrokerBeginsAnew() {
    register(broker("b0").topics("T", "U"));
    register(broker("b0").id(1).at(SLAVE).topics());
    routes.wipeWritePerm("b0");

    routes.unregister(new BrokerKey("c0", MASTER), "b0");
    int whileAway = perm("T");
    register(broker("b0").topics("T", "U"));

    assertThat(whileAway).isEqualTo(Perm.READ);
    assertThat(perm("T")).isEqualTo(Perm.READ_WRITE);
  }

  @Test
  void shouldTakeOnlyTheVersionOfAWholeTableAsAReasonToLookIntoIt() {
    register(broker("b0").topics("T", "U"));

    register(broker("b0").topics("T", "U").permitting(Perm.READ));
    int sameVersion = perm("T");
    register(broker("b0").topics("T", "U").permitting(Perm.READ).version(2));

    assertThat(sameVersion).isEqualTo(Perm.READ_WRITE);
    assertThat(perm("T")).isEqualTo(Perm.READ);
  }

  @Test
  void shouldAddATopicItDoesNotHaveEvenWhenTheVersionIsTheSame() {
    register(broker("b0").topics("T", "U"));
    routes.deleteTopic("T");

    register(broker("b0").topics("T", "U"));

    assertThat(routes.topics()).containsExactly("T", "U");
  }

  @Test
  void shouldDropMissingTopicsOnlyWhenToldTo() {
    register(broker("b0").topics("T", "U", "V"));
    register(broker("b1").at("10.0.1.1:10911").topics("T", "U"));

    register(broker("b0").topics("U", "V").version(2));
    List<String> kept = routes.topics();
    routes.register(broker("b0").topics("V", "W").version(3).build(), true);

    assertThat(kept).containsExactly("T", "U", "V");
    assertThat(routes.topics()).containsExactly("T", "U", "V", "W");
    assertThat(routes.route("U", false).orElseThrow().queues()).extracting(QueueData::brokerName).containsExactly("b1");
    assertThat(routes.route("T", false).orElseThrow().queues()).extracting(QueueData::brokerName).containsExactly("b1");
  }

  @Test
  void shouldNotTakeAnIncrementForTheWholeTable() {
    register(broker("b0").topics("T", "U"));

    routes.register(broker("b0").topics("V").version(2).build(), true);

    assertThat(routes.topics()).containsExactly("T", "U", "V");
  }

  @Test
  void shouldTellASlaveItsMaster() {
    register(broker("b0").topics("T", "U"));

    RegisterOutcome outcome = register(broker("b0").id(1).at(SLAVE).topics("X", "Y"));

    assertThat(outcome).isEqualTo(new Accepted(true, Optional.of(new Master(MASTER, MASTER + "-ha"))));
    assertThat(routes.topics()).as("a slave beside a master brings no topics").containsExactly("T", "U");
    assertThat(routes.route("T", false).orElseThrow().brokers().get(0).addresses()).containsOnlyKeys(0L, 1L);
  }

  @Test
  void shouldTakeTopicsFromTheSmallestSlaveWhenThereIsNoMaster() {
    register(broker("b0").id(2).at(SLAVE).actingMaster(false).topics("T", "U"));
    register(broker("b0").id(3).at("10.0.0.3:10911").actingMaster(false).topics("V", "W"));

    assertThat(routes.topics()).containsExactly("T", "U");
    assertThat(routes.route("T", false).orElseThrow().brokers().get(0).masterAddress()).isEmpty();
  }

  @Test
  void shouldTakeNoTopicsFromASlaveOfAnOldVersion() {
    register(broker("b0").id(1).at(SLAVE).topics("T", "U"));

    assertThat(routes.topics()).isEmpty();
  }

  @Test
  void shouldMoveAnAddressThatComesUnderAnotherId() {
    register(broker("b0").id(1).at(SLAVE).topics());
    register(broker("b0").id(0).at(SLAVE).topics("T", "U"));

    assertThat(routes.cluster(false).brokers().get(0).addresses()).containsOnlyKeys(0L).containsValue(SLAVE);
  }

  @Test
  void shouldForgetTheFormerNameOfAnAddress() {
    register(broker("b0").topics("T", "U"));
    register(broker("b9").topics("T", "V"));

    assertThat(routes.cluster(false).brokers()).extracting(BrokerData::brokerName).containsExactly("b9");
    assertThat(routes.topics()).containsExactly("T", "V");
  }

  @Test
  void shouldIgnoreAnOlderStateVersionOnAnotherAddress() {
    register(broker("b0").topics("T", "U").state(5));

    RegisterOutcome older = register(broker("b0").at(SLAVE).topics("V", "W").state(4));
    Optional<String> holder = routes.cluster(false).brokers().get(0).masterAddress();
    RegisterOutcome newer = register(broker("b0").at(SLAVE).topics("V", "W").state(5));

    assertThat(older).isEqualTo(new Outdated(MASTER));
    assertThat(holder).contains(MASTER);
    assertThat(newer).isInstanceOf(Accepted.class);
    assertThat(routes.cluster(false).brokers().get(0).masterAddress()).contains(SLAVE);
  }

  @Test
  void shouldKeepTheNewHolderWhenTheReplacedAddressExpires() {
    register(broker("b0").topics("T", "U").connection(1));
    register(broker("b0").at(SLAVE).topics("T", "U").connection(2));

    routes.connectionClosed(1);

    assertThat(routes.route("T", false).orElseThrow().brokers().get(0).masterAddress()).contains(SLAVE);
  }

  @Test
  void shouldForgetAMasterButKeepItsSlavesWhenItUnregisters() {
    register(broker("b0").topics("T", "U"));
    register(broker("b0").id(1).at(SLAVE).topics());

    routes.unregister(new BrokerKey("c0", MASTER), "b0");
    Optional<TopicRoute> withSlave = routes.route("T", false);
    routes.unregister(new BrokerKey("c0", SLAVE), "b0");

    assertThat(withSlave.orElseThrow().brokers().get(0).addresses()).containsOnlyKeys(1L);
    assertThat(routes.route("T", false)).isEmpty();
    assertThat(routes.topics()).isEmpty();
    assertThat(routes.cluster(false).brokers()).isEmpty();
  }

  @Test
  void shouldForgetBrokersWhoseConnectionEnded() {
    register(broker("b0").topics("T", "U").connection(7));
    register(broker("b1").at("10.0.1.1:10911").topics("T", "V").connection(8));

    List<BrokerKey> gone = routes.connectionClosed(7);

    assertThat(gone).containsExactly(new BrokerKey("c0", MASTER));
    assertThat(routes.topics()).containsExactly("T", "V");
  }

  @Test
  void shouldKeepABrokerThatCameBackOverANewConnection() {
    register(broker("b0").topics("T", "U").connection(7));
    register(broker("b0").topics("T", "U").connection(8));

    assertThat(routes.connectionClosed(7)).isEmpty();
    assertThat(routes.route("T", false)).isPresent();
  }

  @Test
  void shouldDropABrokerOnlyAfterItsTimeOfSilence() {
    register(broker("b0").topics("T", "U").connection(7));

    clock.advance(TIMEOUT_MS);
    List<RouteTable.Expired> atTheBound = routes.expire();
    clock.advance(1);
    List<RouteTable.Expired> beyond = routes.expire();

    assertThat(atTheBound).isEmpty();
    assertThat(beyond).containsExactly(new RouteTable.Expired(new BrokerKey("c0", MASTER), 7));
    assertThat(routes.route("T", false)).isEmpty();
  }

  @Test
  void shouldKeepABrokerThatIsHeard() {
    register(broker("b0").topics("T", "U"));

    clock.advance(TIMEOUT_MS);
    boolean known = routes.heard(new BrokerKey("c0", MASTER));
    clock.advance(TIMEOUT_MS);

    assertThat(known).isTrue();
    assertThat(routes.expire()).isEmpty();
    assertThat(routes.heard(new BrokerKey("c0", SLAVE))).isFalse();
  }

  @Test
  void shouldClearWritePermissionOfOneBrokerAndSetItAgain() {
    register(broker("b0").topics("T", "U"));
    register(broker("b1").at("10.0.1.1:10911").topics("T", "V"));

    int wiped = routes.wipeWritePerm("b0");
    List<Integer> afterWipe = perms("T");
    int added = routes.addWritePerm("b0");

    assertThat(wiped).isEqualTo(2);
    assertThat(afterWipe).containsExactly(Perm.READ, Perm.READ_WRITE);
    assertThat(added).isEqualTo(2);
    assertThat(perms("T")).containsExactly(Perm.READ_WRITE, Perm.READ_WRITE);
    assertThat(routes.wipeWritePerm("unknown")).isZero();
  }

  @Test
  void shouldDeleteATopicInOneClusterOnly() {
    register(broker("b0").topics("T", "U"));
    register(broker("b1").cluster("c1").at("10.0.1.1:10911").topics("T", "V"));

    routes.deleteTopic("T", "c1");

    assertThat(routes.route("T", false).orElseThrow().queues()).extracting(QueueData::brokerName).containsExactly("b0");
    assertThat(routes.topicsOf("c1")).containsExactly("V");
    assertThat(routes.topicsOf("c0")).containsExactly("T", "U");
  }

  @Test
  void shouldAddQueuesOfRegisteredBrokersOnly() {
    register(broker("b0").topics());

    routes.addQueues("T", List.of(new QueueData("b0", 2, 2, 6, 0), new QueueData("ghost", 2, 2, 6, 0)));

    assertThat(routes.route("T", false).orElseThrow().queues()).extracting(QueueData::brokerName).containsExactly("b0");
  }

  @Test
  void shouldListTopicsByTheirUnitFlags() {
    register(broker("b0").flagged("unit", 1).flagged("sub", 2).flagged("both", 3).flagged("none", 0));

    assertThat(routes.topicsFlagged(1, 0)).containsExactly("both", "unit");
    assertThat(routes.topicsFlagged(2, 0)).containsExactly("both", "sub");
    assertThat(routes.topicsFlagged(2, 1)).containsExactly("sub");
  }

  @Test
  void shouldShowLoopbackToThisMachineOnlyForBrokersThatAgreed() {
    register(broker("b0").topics("T", "U").onLoopback());
    register(broker("b1").at("10.0.1.1:10911").topics("T", "U"));

    assertThat(addresses(true)).containsExactly("127.0.0.1:10911", "10.0.1.1:10911");
    assertThat(addresses(false)).containsExactly(MASTER, "10.0.1.1:10911");
    assertThat(routes.cluster(true).brokers().get(0).masterAddress()).contains("127.0.0.1:10911");
    assertThat(routes.members("c0", "b0", true).masterAddress()).contains("127.0.0.1:10911");
    assertThat(routes.members("c0", "b0", false).masterAddress()).contains(MASTER);
  }

  @Test
  void shouldKnowNoMembersUnderAnotherCluster() {
    register(broker("b0").topics());

    assertThat(routes.members("c9", "b0", false).addresses()).isEmpty();
    assertThat(routes.members("c0", "b0", false).addresses()).containsOnlyKeys(0L);
  }

  @Test
  void shouldRememberTheVersionOfEachBroker() {
    register(broker("b0").topics().version(4));

    assertThat(routes.version(new BrokerKey("c0", MASTER))).contains(new DataVersion(0, 4, 4));
    assertThat(routes.version(new BrokerKey("c0", SLAVE))).isEmpty();
  }

  private List<String> addresses(boolean fromLoopback) {
    return routes.route("T", fromLoopback).orElseThrow().brokers().stream()
        .map(broker -> broker.masterAddress().orElseThrow())
        .toList();
  }

  private int perm(String topic) {
    return perms(topic).get(0);
  }

  private List<Integer> perms(String topic) {
    return routes.route(topic, false).orElseThrow().queues().stream().map(QueueData::perm).toList();
  }

  private RegisterOutcome register(Draft draft) {
    return routes.register(draft.build(), false);
  }

  private static Draft broker(String name) {
    return new Draft(name, "c0", 0, MASTER, Optional.empty(), false, 1, DataVersion.INITIAL, List.of());
  }

  private record Draft(
      String name,
      String cluster,
      long id,
      String address,
      Optional<Boolean> acting,
      boolean loopback,
      long connectionId,
      DataVersion dataVersion,
      List<TopicConfig> table) {

    Draft cluster(String value) {
      return new Draft(name, value, id, address, acting, loopback, connectionId, dataVersion, table);
    }

    Draft id(long value) {
      return new Draft(name, cluster, value, address, acting, loopback, connectionId, dataVersion, table);
    }

    Draft at(String value) {
      return new Draft(name, cluster, id, value, acting, loopback, connectionId, dataVersion, table);
    }

    Draft actingMaster(boolean value) {
      return new Draft(name, cluster, id, address, Optional.of(value), loopback, connectionId, dataVersion, table);
    }

    Draft onLoopback() {
      return new Draft(name, cluster, id, address, acting, true, connectionId, dataVersion, table);
    }

    Draft connection(long value) {
      return new Draft(name, cluster, id, address, acting, loopback, value, dataVersion, table);
    }

    Draft version(long counter) {
      return new Draft(
          name, cluster, id, address, acting, loopback, connectionId, new DataVersion(0, counter, counter), table);
    }

    Draft state(long state) {
      return new Draft(name, cluster, id, address, acting, loopback, connectionId, new DataVersion(state, 1, 1), table);
    }

    Draft topics(String... names) {
      List<TopicConfig> topics = Stream.of(names).map(topic -> TopicConfig.of(topic, 4, Perm.READ_WRITE)).toList();
      return new Draft(name, cluster, id, address, acting, loopback, connectionId, dataVersion, topics);
    }

    Draft permitting(int perm) {
      return new Draft(name, cluster, id, address, acting, loopback, connectionId, dataVersion,
          table.stream().map(topic -> TopicConfig.of(topic.name(), 4, perm)).toList());
    }

    Draft flagged(String topic, int sysFlag) {
      TopicConfig added = new TopicConfig(topic, 1, 1, Perm.READ_WRITE, "SINGLE_TAG", sysFlag, false, Map.of());
      return new Draft(name, cluster, id, address, acting, loopback, connectionId, dataVersion,
          Stream.concat(table.stream(), Stream.of(added)).toList());
    }

    Registration build() {
      return new Registration(new BrokerKey(cluster, address), name, id, address + "-ha", TIMEOUT_MS, acting, loopback,
          connectionId, new RegisterBody(dataVersion, table));
    }
  }
}
