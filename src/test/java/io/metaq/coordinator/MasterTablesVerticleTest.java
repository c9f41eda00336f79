package io.metaq.coordinator;

import static io.metaq.coordinator.CoordinatorRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.FreePorts;
import io.metaq.WatchedVertx;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.bus.QueueBegun;
import io.metaq.coordinator.api.GroupsDelta;
import io.metaq.coordinator.api.MasterAddress;
import io.metaq.coordinator.api.MasterState;
import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.TablesProxy;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.model.DataVersion;
import io.metaq.model.GroupConfig;
import io.metaq.model.RequestCode;
import io.metaq.model.TopicConfig;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(WatchedVertx.class)
class MasterTablesVerticleTest {
  private static final int REQUESTS_OF_A_ROUND = 7;
  private static final long PERIOD_MS = 20;
  private static final DataVersion VERSION = new DataVersion(0, 7, 3);
  private static final TopicConfig T = TopicConfig.of("T", 4, 6);
  private static final GroupConfig G = GroupConfig.of("g");
  private static final DelayOffsetsFile DELAYS = new DelayOffsetsFile(VERSION, Map.of(3, 11L));

  @TempDir Path folder;

  private final AtomicLong copied = new AtomicLong();
  private Vertx vertx;
  private CoordinatorRig rig;

  /** The JDK reads a file of its own when a process makes its first socket; that is not to be held against an event loop. */
  @BeforeAll
  static void makeAFirstSocket() throws IOException {
    new ServerSocket(0).close();
    ServerSocketChannel.open().socket().close();
  }

  @BeforeEach
  void startSlave(Vertx watched) {
    vertx = watched;
    rig = new CoordinatorRig(vertx, folder);
    rig.startConfig();
    rig.startTopics();
    rig.startGroups(CoordinatorRig.groupRules());
    rig.deploy(new OffsetCoordinatorVerticle(10, true, CoordinatorRig.LOOPS, rig.clock));
    rig.deploy(new MasterTablesVerticle(CoordinatorRig.LOOPS, PERIOD_MS, copied::get, rig.clock, new Random(1)));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldTakeEveryTableOfTheMasterOverAndTellTheLoops() throws Exception {
    FakeMaster master = start(new FakeMaster(FreePorts.next(), 1).topics(new TopicsFile(VERSION, List.of(T), Map.of()))
        .groups(new GroupsFile(VERSION, List.of(G), Map.of(), Map.of())).offset("g", "T", 2, 40).delays(DELAYS));

    masterIs(master);

    TopicsDelta topics = rig.heard(1, TopicsDelta.class);
    assertThat(topics.complete()).isTrue();
    assertThat(topics.version()).isEqualTo(VERSION);
    assertThat(topics.changed()).containsExactly(T);
    GroupsDelta groups = rig.heard(1, GroupsDelta.class);
    assertThat(groups.complete()).isTrue();
    assertThat(groups.changed()).extracting(group -> group.config()).containsExactly(G);
    assertThat(rig.next(rig.registration, TopicsDelta.class).changed()).containsExactly(T);
    hearsOf(1, new MasterState(master.address(), true));
    assertThat(await(rig.offsets.query("g", "T", 2))).isEqualTo(40);
    until(() -> await(new ConfigProxy(vertx).load(DelayOffsetsFile.FORMAT)).equals(Optional.of(DELAYS)));
    byte[] delays = await(new TablesProxy(vertx).body(Table.DELAYS)).json();
    assertThat(ConfigJson.decode(DelayOffsetsFile.FORMAT, delays)).isEqualTo(DELAYS);
  }

  @Test
  void shouldFollowWhatChangesLater() throws Exception {
    FakeMaster master = start(new FakeMaster(FreePorts.next(), 1).topics(new TopicsFile(VERSION, List.of(T), Map.of())));
    masterIs(master);
    rig.heard(0, TopicsDelta.class);

    TopicConfig later = TopicConfig.of("later", 1, 6);
    master.topics(new TopicsFile(VERSION.next(9), List.of(T, later), Map.of())).offset("g", "T", 0, 5);

    assertThat(rig.heard(0, TopicsDelta.class).changed()).containsExactly(T, later);
    until(() -> await(rig.offsets.query("g", "T", 0)) == 5);
    master.offset("g", "T", 0, 2);
    until(() -> await(rig.offsets.query("g", "T", 0)) == 2);
  }

  /** Seen before: what was popped in the last moment of a lost master, and its check point with it, was passed over. */
  @Test
  void shouldTakeProgressWhenTheLogHasWhatItRestsOn() throws Exception {
    copied.set(999);
    FakeMaster master = start(new FakeMaster(FreePorts.next(), 1).offset("g", "T", 0, 5).delays(DELAYS).logEnd(1_000));

    masterIs(master);
    aRoundIsDone(master);

    assertThat(await(rig.offsets.query("g", "T", 0))).isEqualTo(OffsetsProxy.NONE);
    assertThat(await(new ConfigProxy(vertx).load(DelayOffsetsFile.FORMAT))).isEmpty();
    copied.set(1_000);
    until(() -> await(rig.offsets.query("g", "T", 0)) == 5);
    until(() -> await(new ConfigProxy(vertx).load(DelayOffsetsFile.FORMAT)).equals(Optional.of(DELAYS)));
  }

  @Test
  void shouldNotTakeProgressOfAnotherMaster() throws Exception {
    FakeMaster first = start(new FakeMaster(FreePorts.next(), 1).offset("g", "T", 0, 5).logEnd(1_000));
    FakeMaster second = start(new FakeMaster(FreePorts.next(), 1).offset("g", "T", 1, 7).logEnd(100));
    masterIs(first);
    aRoundIsDone(first);

    masterIs(second);
    aRoundIsDone(second);
    copied.set(1_000);

    until(() -> await(rig.offsets.query("g", "T", 1)) == 7);
    assertThat(await(rig.offsets.query("g", "T", 0))).isEqualTo(OffsetsProxy.NONE);
  }

  @Test
  void shouldTakeTheOtherTablesWhenOneIsRefusedAndOneIsUnreadable() throws Exception {
    FakeMaster master = start(new FakeMaster(FreePorts.next(), 1).unreadable(RequestCode.GET_ALL_TOPIC_CONFIG).offset("g", "T", 2, 40));

    masterIs(master);

    until(() -> await(rig.offsets.query("g", "T", 2)) == 40);
    hearsOf(0, new MasterState(master.address(), true));
    assertThat(await(rig.topics.snapshot()).changed()).hasSizeGreaterThan(5);
  }

  @Test
  void shouldTellTheMasterWhatWasCommittedHereWhileItWasAway() throws Exception {
    FakeMaster first = start(new FakeMaster(FreePorts.next(), 1).offset("g", "T", 2, 40));
    masterIs(first);
    until(() -> await(rig.offsets.query("g", "T", 2)) == 40);
    hearsOf(0, new MasterState(first.address(), true));
    int port = first.port();
    await(first.kill());
    hearsOf(0, new MasterState("127.0.0.1:" + port, false));

    OffsetCommits commits = new OffsetCommits();
    commits.add("g", "T", 2, 60);
    rig.offsets.commit(commits);
    // It lost what it had not written yet.
    FakeMaster second = start(new FakeMaster(port, 2).offset("g", "T", 2, 38));

    until(() -> Long.valueOf(60).equals(second.told.get("g/T/2")));
    assertThat(await(rig.offsets.query("g", "T", 2))).isEqualTo(60);
    second.offset("g", "T", 2, 61);
    until(() -> await(rig.offsets.query("g", "T", 2)) == 61);
  }

  /** Seen before: a round in which the master took anything over counted for nothing, so that nothing else was ever taken. */
  @Test
  void shouldTakeTheMastersProgressThoughConsumersCommitHereAllTheTime() throws Exception {
    FakeMaster master = start(new FakeMaster(FreePorts.next(), 1).offset("g", "T", 0, 0).offset("g", "T", 1, 0));
    masterIs(master);
    until(() -> await(rig.offsets.query("g", "T", 1)) == 0);
    long[] next = {0};
    // Each is done before the next, lest a slow machine is a million of them behind.
    Callable<Long> commitAndLook = () -> {
      OffsetCommits commits = new OffsetCommits();
      commits.add("g", "T", 0, ++next[0]);
      rig.offsets.commit(commits);
      return await(rig.offsets.query("g", "T", 1));
    };
    until(() -> commitAndLook.call() == 0 && master.told.containsKey("g/T/0"));

    master.offset("g", "T", 1, 7);

    until(() -> commitAndLook.call() == 7);
    assertThat(await(rig.offsets.query("g", "T", 0))).isEqualTo(next[0]);
  }

  @Test
  void shouldGoToTheMastersNewAddress() throws Exception {
    FakeMaster first = start(new FakeMaster(FreePorts.next(), 1).offset("g", "T", 0, 1));
    FakeMaster second = start(new FakeMaster(FreePorts.next(), 1).offset("g", "T", 0, 2));
    masterIs(first);
    until(() -> await(rig.offsets.query("g", "T", 0)) == 1);

    masterIs(second);

    until(() -> await(rig.offsets.query("g", "T", 0)) == 2);
  }

  @Test
  void shouldDropTopicsOfItsOwnThatTheMasterDoesNotHave() throws Exception {
    FakeMaster master = start(new FakeMaster(FreePorts.next(), 1).topics(new TopicsFile(VERSION, List.of(T), Map.of())));
    masterIs(master);
    rig.heard(0, TopicsDelta.class);

    await(rig.topics.ensure(TopicConfig.of("%RETRY%g", 1, 6)));

    until(() -> await(rig.topics.snapshot()).changed().equals(List.of(T)));
  }

  @Test
  void shouldTakeTopicsFromTheLogThatALostMasterDidNotTellOf() throws Exception {
    FakeMaster master = start(new FakeMaster(FreePorts.next(), 1).topics(new TopicsFile(VERSION, List.of(T), Map.of())));
    masterIs(master);
    hearsOf(0, new MasterState(master.address(), true));
    await(master.kill());
    hearsOf(0, new MasterState(master.address(), false));

    begins("young", 0);
    begins("young", 2);
    begins("T", 3);

    until(() -> await(rig.topics.snapshot()).changed().equals(List.of(T, TopicConfig.of("young", 3, 6))));
  }

  /** Seen before: they were forgotten with the refusal. */
  @Test
  void shouldKeepTopicsFromTheLogWhileTheMasterRefusesItsTable() throws Exception {
    FakeMaster master = start(new FakeMaster(FreePorts.next(), 1));
    masterIs(master);
    hearsOf(0, new MasterState(master.address(), true));

    begins("young", 1);
    aRoundIsDone(master);
    await(master.kill());

    until(() -> await(rig.topics.snapshot()).changed().contains(TopicConfig.of("young", 2, 6)));
  }

  @Test
  void shouldNotBringTopicsBackThatTheMasterHasDeleted() throws Exception {
    FakeMaster master = start(new FakeMaster(FreePorts.next(), 1).topics(new TopicsFile(VERSION, List.of(T), Map.of())));
    masterIs(master);
    hearsOf(0, new MasterState(master.address(), true));

    begins("deleted", 0);
    aRoundIsDone(master);
    await(master.kill());
    hearsOf(0, new MasterState(master.address(), false));
    begins("young", 0);

    until(() -> await(rig.topics.snapshot()).changed().equals(List.of(T, TopicConfig.of("young", 1, 6))));
  }

  /** Waits for what is left of this round, for another one, and for the beginning of the next. */
  private static void aRoundIsDone(FakeMaster master) throws Exception {
    int asked = master.asked.get();
    until(() -> master.asked.get() > asked + 2 * REQUESTS_OF_A_ROUND);
  }

  private void begins(String topic, int queueId) {
    vertx.eventBus().publish(BusAddress.QUEUE_BEGUN, new QueueBegun(topic, queueId), LocalBus.LOCAL);
  }

  private FakeMaster start(FakeMaster master) {
    await(vertx.deployVerticle(master));
    return master;
  }

  private void masterIs(FakeMaster master) {
    vertx.eventBus().publish(BusAddress.MASTER, new MasterAddress(master.address(), "127.0.0.1:1"), LocalBus.LOCAL);
  }

  private void hearsOf(int loop, MasterState state) {
    while (!rig.heard(loop, MasterState.class).equals(state)) {
      Thread.onSpinWait();
    }
  }

  private static void until(Callable<Boolean> condition) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
  }
}
