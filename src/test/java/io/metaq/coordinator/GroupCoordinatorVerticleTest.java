package io.metaq.coordinator;

import static io.metaq.coordinator.CoordinatorRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.WatchedVertx;
import io.metaq.coordinator.CoordinatorOptions.GroupRules;
import io.metaq.coordinator.api.CloseConnections;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.GroupsDelta;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.GroupsProxy.LockedQueue;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.coordinator.api.MembersChanged;
import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.model.DataVersion;
import io.metaq.model.GroupConfig;
import io.metaq.model.Subscription;
import io.metaq.model.TopicConfig;
import io.metaq.store.Disk;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(WatchedVertx.class)
class GroupCoordinatorVerticleTest {
  private static final Subscription ORDERS = Subscription.ofTags("orders", "*", 1);

  @TempDir Path folder;

  private CoordinatorRig rig;
  private String deployment;

  @BeforeEach
  void start(Vertx vertx) {
    rig = new CoordinatorRig(vertx, folder);
    rig.startConfig();
    rig.startTopics();
    deployment = rig.startGroups(CoordinatorRig.groupRules());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldMakeGroupAndRetryTopicBeforeTheFirstHeartbeatIsAnswered() {
    await(rig.groups.heartbeat(beat(0, 1, "c1", "g", ORDERS)));

    assertThat(await(rig.topics.snapshot()).changed()).contains(TopicConfig.of("%RETRY%g", 1, 6));
    assertThat(new ConfigFiles(folder, Disk.real(), rig.clock).load(GroupsFile.FORMAT).orElseThrow().groups()).contains(GroupConfig.of("g"));
    for (int loop = 0; loop < CoordinatorRig.LOOPS; loop++) {
      GroupSnapshot heard = rig.heard(loop, GroupsDelta.class).changed().get(0);
      assertThat(heard)
          .isEqualTo(new GroupSnapshot(GroupConfig.of("g"), true, false, Map.of("orders", ORDERS), List.of("c1")));
    }
  }

  @Test
  void shouldMarkTheRetryTopicOfAUnitConsumer() {
    await(rig.groups.heartbeat(new Heartbeat(0, 1, "r", "c1", "JAVA", 1, 0, false, List.of(),
        List.of(new Heartbeat.Consumer("g", "CONSUME_PASSIVELY", "CLUSTERING", "x", true, List.of(ORDERS))))));

    assertThat(rig.heard(0, TopicsDelta.class).changed().get(0).sysFlag()).isEqualTo(2);
  }

  @Test
  void shouldTellEachMemberOnItsLoopWhenAnotherOneJoins() {
    await(rig.groups.heartbeat(beat(0, 1, "c1", "g", ORDERS)));
    assertThat(rig.heard(0, MembersChanged.class)).isEqualTo(new MembersChanged("g", List.of(1L)));

    await(rig.groups.heartbeat(beat(1, 9, "c2", "g", ORDERS)));

    assertThat(rig.heard(0, MembersChanged.class)).isEqualTo(new MembersChanged("g", List.of(1L)));
    assertThat(rig.heard(1, MembersChanged.class)).isEqualTo(new MembersChanged("g", List.of(9L)));
  }

  @Test
  void shouldTellTheNewTableBeforeTheNotice() {
    await(rig.groups.heartbeat(beat(0, 1, "c1", "g", ORDERS)));
    rig.drain(0);

    await(rig.groups.heartbeat(beat(1, 9, "c2", "g", ORDERS)));

    List<Object> heard = rig.drain(0);
    assertThat(heard).hasSize(2);
    assertThat(((GroupsDelta) heard.get(0)).changed().get(0).memberIds()).containsExactly("c1", "c2");
    assertThat(heard.get(1)).isInstanceOf(MembersChanged.class);
  }

  @Test
  void shouldTellNothingWhenAHeartbeatChangesNothing() {
    await(rig.groups.heartbeat(beat(0, 1, "c1", "g", ORDERS)));
    rig.drain(0);

    await(rig.groups.heartbeat(beat(0, 1, "c1", "g", ORDERS)));

    assertThat(rig.drain(0)).isEmpty();
  }

  @Test
  void shouldNotNotifyABroadcastingGroup() {
    await(rig.groups.heartbeat(beat(0, 1, "c1", "g", "BROADCASTING", ORDERS)));
    await(rig.groups.heartbeat(beat(0, 2, "c2", "g", "BROADCASTING", ORDERS)));

    List<Object> heard = rig.drain(0);
    assertThat(heard).noneMatch(MembersChanged.class::isInstance);
    assertThat(((GroupsDelta) heard.get(heard.size() - 1)).changed().get(0).broadcasting()).isTrue();
  }

  @Test
  void shouldAskAClientOfTheFirstHeartbeatFormForItsSubscriptions() {
    assertThat(await(rig.groups.heartbeat(beat(0, 1, "c1", "g", ORDERS))).subscriptionsWanted()).isTrue();
  }

  @Test
  void shouldSpareAClientWhoseFingerprintIsKnownItsSubscriptions() {
    assertThat(await(rig.groups.heartbeat(full(77))).subscriptionsWanted()).isFalse();
    rig.drain(0);

    assertThat(await(rig.groups.heartbeat(bare(77))).subscriptionsWanted()).isFalse();

    assertThat(rig.drain(0)).isEmpty();
    assertThat(snapshot("g").subscriptions()).containsEntry("orders", ORDERS);
  }

  @Test
  void shouldAskForSubscriptionsWhenTheFingerprintIsNew() {
    await(rig.groups.heartbeat(full(77)));

    assertThat(await(rig.groups.heartbeat(bare(78))).subscriptionsWanted()).isTrue();
    assertThat(await(rig.groups.heartbeat(full(78))).subscriptionsWanted()).isFalse();
    assertThat(await(rig.groups.heartbeat(bare(78))).subscriptionsWanted()).isFalse();
  }

  @Test
  void shouldAskForSubscriptionsWhenTheClientIsUnknown() {
    assertThat(await(rig.groups.heartbeat(bare(77))).subscriptionsWanted()).isTrue();
    assertThat(snapshot("g").memberIds()).containsExactly("c1");
  }

  @Test
  void shouldEndAMembershipAndTellTheOthersWhenAClientUnregisters() {
    await(rig.groups.heartbeat(beat(0, 1, "c1", "g", ORDERS)));
    await(rig.groups.heartbeat(beat(0, 2, "c2", "g", ORDERS)));
    rig.drain(0);

    await(rig.groups.unregister(new GroupsProxy.Unregister(0, 1, "c1", "pg", "g")));

    assertThat(rig.heard(0, GroupsDelta.class).changed().get(0).memberIds()).containsExactly("c2");
    assertThat(rig.heard(0, MembersChanged.class)).isEqualTo(new MembersChanged("g", List.of(2L)));
  }

  @Test
  void shouldKeepTheSettingsOfAGroupThatEverybodyLeft() {
    await(rig.groups.heartbeat(beat(0, 1, "c1", "g", ORDERS)));
    rig.drain(0);

    rig.groups.closed(0, 1);

    assertThat(rig.heard(0, GroupsDelta.class).changed())
        .containsExactly(new GroupSnapshot(GroupConfig.of("g"), false, false, Map.of(), List.of()));
    assertThat(rig.drain(0)).isEmpty();
  }

  @Test
  void shouldEndAllMembershipsOfAConnectionThatCloses() {
    Heartbeat.Consumer g = consumer("g", "CLUSTERING", ORDERS);
    Heartbeat.Consumer h = consumer("h", "CLUSTERING", ORDERS);
    await(rig.groups.heartbeat(new Heartbeat(0, 1, "r", "c1", "JAVA", 1, 0, false, List.of("pg"), List.of(g, h))));
    rig.drain(0);

    rig.groups.closed(0, 1);

    assertThat(rig.heard(0, GroupsDelta.class).changed())
        .extracting(group -> group.config().name())
        .containsExactlyInAnyOrder("g", "h");
  }

  @Test
  void shouldCloseTheConnectionOfAClientThatIsSilentTooLong() {
    await(rig.groups.heartbeat(beat(0, 1, "c1", "g", ORDERS)));
    await(rig.groups.heartbeat(beat(1, 2, "c2", "g", ORDERS)));
    rig.clock.advance(120_000);
    await(rig.groups.heartbeat(beat(1, 2, "c2", "g", ORDERS)));
    rig.drain(0);

    rig.clock.advance(1);

    assertThat(rig.heard(0, GroupsDelta.class).changed().get(0).memberIds()).containsExactly("c2");
    assertThat(rig.heard(0, CloseConnections.class))
        .isEqualTo(new CloseConnections(List.of(1L), "no heartbeat for 120000 ms"));
    assertThat(rig.drain(1)).noneMatch(CloseConnections.class::isInstance);
  }

  @Test
  void shouldCloseTheConnectionOfASilentProducer() {
    await(rig.groups.heartbeat(new Heartbeat(1, 5, "r", "c1", "JAVA", 1, 0, false, List.of("pg"), List.of())));

    rig.clock.advance(120_001);

    assertThat(rig.heard(1, CloseConnections.class).connectionIds()).containsExactly(5L);
  }

  @Test
  void shouldAnswerAHeartbeatOfAGroupThatMayNotBeMade() {
    await(rig.groups.heartbeat(beat(0, 1, "c1", "bad name", ORDERS)));

    assertThat(await(rig.groups.snapshot()).changed()).noneMatch(group -> group.config().name().equals("bad name"));
    assertThat(rig.drain(0)).isEmpty();
  }

  @Test
  void shouldMakeAGroupOnDemand() {
    assertThat(await(rig.groups.ensure("g"))).contains(GroupConfig.of("g"));
    assertThat(rig.heard(1, GroupsDelta.class).changed().get(0).online()).isFalse();

    assertThat(await(rig.groups.ensure("../x"))).isEmpty();
  }

  @Test
  void shouldLockAndUnlockQueues() {
    LockedQueue queue = new LockedQueue("orders", "b1", 0);

    assertThat(await(rig.groups.lock(new GroupsProxy.Lock("g", "c1", List.of(queue))))).containsExactly(queue);
    assertThat(await(rig.groups.lock(new GroupsProxy.Lock("g", "c2", List.of(queue))))).isEmpty();
    assertThat(await(rig.groups.hasLock("g"))).isTrue();

    await(rig.groups.unlock(new GroupsProxy.Lock("g", "c1", List.of(queue))));

    assertThat(await(rig.groups.hasLock("g"))).isFalse();
    assertThat(await(rig.groups.lock(new GroupsProxy.Lock("g", "c2", List.of(queue))))).containsExactly(queue);
  }

  @Test
  void shouldNotNotifyAGroupThatSwitchedItOff() {
    GroupConfig quiet = new GroupConfig("q", true, true, true, false, 1, 16, 0, 1, false, 0, 15, "{}", Map.of());
    restartWith(CoordinatorRig.groupRules(), quiet);

    await(rig.groups.heartbeat(beat(0, 1, "c1", "q", ORDERS)));

    assertThat(rig.drain(0)).anyMatch(GroupsDelta.class::isInstance).noneMatch(MembersChanged.class::isInstance);
  }

  @Test
  void shouldNotNotifyAnybodyWhenItIsSwitchedOffForAll() {
    restartWith(new GroupRules(true, false, 120_000, 10_000, ConflictRule.HOLD));

    await(rig.groups.heartbeat(beat(0, 1, "c1", "g", ORDERS)));

    assertThat(rig.drain(0)).anyMatch(GroupsDelta.class::isInstance).noneMatch(MembersChanged.class::isInstance);
  }

  @Test
  void shouldMakeNoRetryTopicForAGroupWithoutRetries() {
    GroupConfig once = new GroupConfig("o", true, true, true, false, 0, 16, 0, 1, true, 0, 15, "{}", Map.of());
    restartWith(CoordinatorRig.groupRules(), once);

    await(rig.groups.heartbeat(beat(0, 1, "c1", "o", ORDERS)));

    assertThat(await(rig.topics.snapshot()).changed()).noneMatch(topic -> topic.name().equals("%RETRY%o"));
  }

  private void restartWith(GroupRules rules, GroupConfig... stored) {
    rig.undeploy(deployment);
    await(new ConfigProxy(rig.vertx).save(GroupsFile.FORMAT, new GroupsFile(DataVersion.INITIAL, List.of(stored), Map.of(), Map.of())));
    rig.startGroups(rules);
  }

  private GroupSnapshot snapshot(String group) {
    return await(rig.groups.snapshot()).changed().stream()
        .filter(snapshot -> snapshot.config().name().equals(group))
        .findFirst()
        .orElseThrow();
  }

  private static Heartbeat full(int fingerprint) {
    return new Heartbeat(
        0, 1, "r", "c1", "JAVA", 1, fingerprint, false, List.of(), List.of(consumer("g", "CLUSTERING", ORDERS)));
  }

  private static Heartbeat bare(int fingerprint) {
    return new Heartbeat(0, 1, "r", "c1", "JAVA", 1, fingerprint, true, List.of(), List.of(consumer("g", "CLUSTERING")));
  }

  private static Heartbeat beat(int loop, long connection, String client, String group, Subscription... subscriptions) {
    return beat(loop, connection, client, group, "CLUSTERING", subscriptions);
  }

  private static Heartbeat beat(
      int loop, long connection, String client, String group, String model, Subscription... subscriptions) {
    return new Heartbeat(
        loop, connection, "r", client, "JAVA", 1, 0, false, List.of(), List.of(consumer(group, model, subscriptions)));
  }

  private static Heartbeat.Consumer consumer(String group, String model, Subscription... subscriptions) {
    return new Heartbeat.Consumer(
        group, "CONSUME_PASSIVELY", model, "CONSUME_FROM_LAST_OFFSET", false, List.of(subscriptions));
  }
}
