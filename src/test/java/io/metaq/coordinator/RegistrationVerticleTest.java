package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.FreePorts;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.codec.registry.QueueData;
import io.metaq.codec.registry.RegisterBodyCodec;
import io.metaq.codec.registry.TopicListCodec;
import io.metaq.codec.registry.TopicRoute;
import io.metaq.codec.registry.TopicRouteCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.NameServerState.Phase;
import io.metaq.coordinator.api.MasterAddress;
import io.metaq.coordinator.api.RegistrationProxy;
import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.model.Backoff;
import io.metaq.model.Clock;
import io.metaq.model.DataVersion;
import io.metaq.model.Perm;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.metaq.nameserver.NameServerOptions;
import io.metaq.nameserver.NameServerVerticle;
import io.metaq.net.TestPeer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.HostAndPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against the project's own name server, over real sockets. */
class RegistrationVerticleTest {
  private static final DataVersion VERSION = new DataVersion(0, 1, 1);
  private static final TopicConfig T = TopicConfig.of("T", 4, Perm.READ_WRITE);
  private static final TopicConfig U = TopicConfig.of("U", 2, Perm.READ_WRITE | Perm.INHERIT);
  private static final String ADDRESS = "192.0.2.1:10911";
  private static final int LARGE = 1000;
  private static final long PERIOD_MS = 100;
  private static final long LINK_PAUSE_MS = 300;
  private static final long TIMEOUT_MS = RegistrationOptions.DEFAULT_TIMEOUT_MS;

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();
  private RegistrationVerticle registration;
  private String deployment;

  @BeforeEach
  void answerSnapshots() {
    LocalBus.install(vertx);
    vertx.eventBus().localConsumer(TopicsProxy.SNAPSHOT, message ->
        message.reply(new TopicsDelta(VERSION, List.of(T, U), List.of(), true), LocalBus.LOCAL));
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(60, TimeUnit.SECONDS);
  }

  @Test
  void shouldRegisterItsTopicsAtEveryNameServer() throws Exception {
    int first = nameServer(0);
    int second = nameServer(0);

    deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + first, "localhost:" + second));

    registration.registered().await(60, TimeUnit.SECONDS);
    for (int port : new int[] {first, second}) {
      await(() -> topics(port).equals(List.of("T", "U")));
      TopicRoute route = route(port, "T");
      assertThat(route.queues()).containsExactly(new QueueData("b0", 4, 4, Perm.READ_WRITE, 0));
      assertThat(route.brokers().get(0).masterAddress()).contains(ADDRESS);
      assertThat(route.brokers().get(0).cluster()).isEqualTo("c0");
    }
    await(() -> registration.states().stream().allMatch(state -> state.phase() == Phase.REGISTERED && state.fault().isEmpty()));
  }

  @Test
  void shouldRegisterThePackedFormToo() throws Exception {
    int port = nameServer(0);

    deploy(options(true, false, Perm.READ_WRITE, "127.0.0.1:" + port));

    await(() -> topics(port).equals(List.of("T", "U")));
    assertThat(route(port, "U").queues()).containsExactly(new QueueData("b0", 2, 2, Perm.READ_WRITE | Perm.INHERIT, 0));
  }

  @Test
  void shouldLetClientsHereHaveTheLoopbackAddressOnlyWhenToldTo() throws Exception {
    int port = nameServer(0);

    deploy(options(false, true, Perm.READ_WRITE, "127.0.0.1:" + port));

    await(() -> topics(port).equals(List.of("T", "U")));
    assertThat(route(port, "T").brokers().get(0).masterAddress()).contains("127.0.0.1:10911");
  }

  @Test
  void shouldGiveNoTopicMorePermissionThanTheBrokerHas() throws Exception {
    int port = nameServer(0);

    deploy(options(false, false, Perm.READ, "127.0.0.1:" + port));

    await(() -> topics(port).equals(List.of("T", "U")));
    assertThat(route(port, "T").queues()).extracting(QueueData::perm).containsExactly(Perm.READ);
    assertThat(route(port, "U").queues()).extracting(QueueData::perm).containsExactly(Perm.READ | Perm.INHERIT);
  }

  @Test
  void shouldTellNameServersAtOnceWhatTheBrokerPermitsNow() throws Exception {
    int port = nameServer(0);
    deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + port).withPeriod(TimeUnit.HOURS.toMillis(1)));
    await(() -> topics(port).equals(List.of("T", "U")));

    new RegistrationProxy(vertx).permit(Perm.READ);

    await(() -> route(port, "T").queues().get(0).perm() == Perm.READ);
    new RegistrationProxy(vertx).permit(Perm.READ_WRITE);
    await(() -> route(port, "T").queues().get(0).perm() == Perm.READ_WRITE);
  }

  @Test
  void shouldRegisterChangedTopicsWithoutWaitingForThePeriod() throws Exception {
    int port = nameServer(0);
    deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + port).withPeriod(TimeUnit.HOURS.toMillis(1)));
    await(() -> topics(port).equals(List.of("T", "U")));

    for (int i = 1; i <= 50; i++) {
      TopicConfig added = TopicConfig.of("added" + i, 1, Perm.READ_WRITE);
      vertx.eventBus().send(RegistrationVerticle.TOPICS,
          new TopicsDelta(new DataVersion(0, i, 1 + i), List.of(added), List.of(), false), LocalBus.LOCAL);
    }

    await(() -> topics(port).size() == 52);
  }

  @Test
  void shouldTellChangesOfALargeTableByThemselvesAndAllOfThem() throws Exception {
    int port = nameServer(0);
    deploy(options(false, false, Perm.READ, "127.0.0.1:" + port).withPeriod(TimeUnit.HOURS.toMillis(1)));
    await(() -> topics(port).equals(List.of("T", "U")));

    tell(large());
    for (int i = 1; i <= 700; i++) {
      tell(new TopicsDelta(new DataVersion(0, i, 10 + i), List.of(TopicConfig.of("added" + i, 1, Perm.READ_WRITE)), List.of(), false));
    }

    await(() -> topics(port).size() == LARGE + 702);
    assertThat(route(port, "added700").queues()).containsExactly(new QueueData("b0", 1, 1, Perm.READ, 0));
  }

  /** It looked like this: of a small table the whole went out, and name servers gave every topic the permission back that was wiped. */
  @Test
  void shouldTellAChangedTopicOfASmallTableByItselfAndBeforeTheWhole() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout(60_000);
      deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + socket.getLocalPort()).withPeriod(TimeUnit.HOURS.toMillis(1)));
      try (TestPeer broker = new TestPeer(socket.accept())) {
        broker.send(broker.receive().success());
        registration.registered().await(60, TimeUnit.SECONDS);

        tell(new TopicsDelta(new DataVersion(0, 2, 2), List.of(TopicConfig.of("first", 1, Perm.READ_WRITE)), List.of(), false));
        RemotingCommand first = broker.receive();
        tell(new TopicsDelta(new DataVersion(0, 3, 3), List.of(TopicConfig.of("second", 1, Perm.READ_WRITE)), List.of(), false));
        tell(new TopicsDelta(new DataVersion(0, 4, 4), List.of(), List.of("U"), false));
        new RegistrationProxy(vertx).registered(1).await(60, TimeUnit.SECONDS);
        broker.send(first.success());
        RemotingCommand whole = broker.receive();
        broker.send(whole.success());
        await(() -> new RegistrationProxy(vertx).registered(60_000).await(60, TimeUnit.SECONDS));
        tell(new TopicsDelta(new DataVersion(0, 5, 5), List.of(TopicConfig.of("third", 1, Perm.READ_WRITE)), List.of(), false));
        RemotingCommand third = broker.receive();

        assertThat(told(first)).containsExactly("first");
        assertThat(told(whole)).as("a topic was deleted").containsExactly("T", "first", "second");
        assertThat(told(third)).containsExactly("third");
      }
    }
  }

  private static List<String> told(RemotingCommand registration) {
    return RegisterBodyCodec.decode(registration.body(), RemotingCommand.VERSION).topics().stream().map(TopicConfig::name).toList();
  }

  /** A table of a version that a name server has not seen would take its operator's permissions back. */
  @Test
  void shouldTellChangesBeforeTheTableThatIsDue() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout(60_000);
      deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + socket.getLocalPort()).withPeriod(PERIOD_MS));
      try (TestPeer broker = new TestPeer(socket.accept())) {
        broker.send(broker.receive().success());
        registration.registered().await(60, TimeUnit.SECONDS);
        RemotingCommand due = broker.receive();
        CountDownLatch nextDue = new CountDownLatch(1);
        vertx.setTimer(3 * PERIOD_MS, over -> nextDue.countDown());
        tell(new TopicsDelta(new DataVersion(0, 2, 2), List.of(TopicConfig.of("new", 1, Perm.READ_WRITE)), List.of(), false));
        assertThat(nextDue.await(60, TimeUnit.SECONDS)).isTrue();

        broker.send(due.success());
        RemotingCommand change = broker.receive();
        broker.send(change.success());
        RemotingCommand whole = broker.receive();

        assertThat(told(due)).containsExactly("T", "U");
        assertThat(told(change)).containsExactly("new");
        assertThat(told(whole)).containsExactly("T", "U", "new");
      }
    }
  }

  @Test
  void shouldTellTheWholeTableAgainWhenAChangeByItselfIsRefused() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout(60_000);
      deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + socket.getLocalPort()).withPeriod(TimeUnit.HOURS.toMillis(1)));
      try (TestPeer broker = new TestPeer(socket.accept())) {
        broker.send(broker.receive().success());
        registration.registered().await(60, TimeUnit.SECONDS);
        tell(large());
        RemotingCommand whole = broker.receive();
        broker.send(whole.success());
        await(() -> new RegistrationProxy(vertx).registered(60_000).await(60, TimeUnit.SECONDS));

        tell(new TopicsDelta(new DataVersion(0, 2, 20), List.of(TopicConfig.of("new", 1, Perm.READ_WRITE)), List.of(), false));
        RemotingCommand change = broker.receive();
        broker.send(change.response(ResultCode.SYSTEM_ERROR, "who are you"));
        RemotingCommand again = broker.receive();
        broker.send(again.success());
        await(() -> new RegistrationProxy(vertx).registered(60_000).await(60, TimeUnit.SECONDS));
        tell(new TopicsDelta(new DataVersion(0, 3, 21), List.of(), List.of("new"), false));
        RemotingCommand withoutIt = broker.receive();

        assertThat(RegisterBodyCodec.decode(change.body(), RemotingCommand.VERSION).topics()).extracting(TopicConfig::name).containsExactly("new");
        assertThat(RegisterBodyCodec.decode(change.body(), RemotingCommand.VERSION).version()).isEqualTo(new DataVersion(0, 2, 20));
        assertThat(RegisterBodyCodec.decode(again.body(), RemotingCommand.VERSION).topics()).hasSize(LARGE + 3);
        assertThat(RegisterBodyCodec.decode(withoutIt.body(), RemotingCommand.VERSION).topics()).hasSize(LARGE + 2);
      }
    }
  }

  private void tell(TopicsDelta delta) {
    vertx.eventBus().send(RegistrationVerticle.TOPICS, delta, LocalBus.LOCAL);
  }

  private static TopicsDelta large() {
    List<TopicConfig> topics = new ArrayList<>(List.of(T, U));
    for (int i = 0; i < LARGE; i++) {
      topics.add(TopicConfig.of("large" + i, 1, Perm.READ_WRITE));
    }
    return new TopicsDelta(new DataVersion(0, 9, 9), topics, List.of(), true);
  }

  @Test
  void shouldTellWhenANameServerHasTheTopicsAsTheyAre() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout(60_000);
      deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + socket.getLocalPort()).withPeriod(TimeUnit.HOURS.toMillis(1)));
      RegistrationProxy proxy = new RegistrationProxy(vertx);
      try (TestPeer broker = new TestPeer(socket.accept())) {
        broker.send(broker.receive().success());
        registration.registered().await(60, TimeUnit.SECONDS);
        assertThat(proxy.registered(60_000).await(60, TimeUnit.SECONDS)).isTrue();

        vertx.eventBus().send(RegistrationVerticle.TOPICS,
            new TopicsDelta(new DataVersion(0, 2, 2), List.of(TopicConfig.of("new", 1, Perm.READ_WRITE)), List.of(), false), LocalBus.LOCAL);
        Future<Boolean> waiting = proxy.registered(60_000);
        RemotingCommand request = broker.receive();
        assertThat(proxy.registered(1).await(60, TimeUnit.SECONDS)).as("not answered yet").isFalse();
        assertThat(waiting.isComplete()).isFalse();
        broker.send(request.success());

        assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  @Test
  void shouldLearnItsMasterFromAnAnswerAndAskOftenUntilThen() throws Exception {
    BlockingQueue<MasterAddress> told = new LinkedBlockingQueue<>();
    vertx.eventBus().<MasterAddress>localConsumer(BusAddress.MASTER, message -> told.add(message.body()));
    int port = nameServer(0);

    deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + port).withPeriod(TimeUnit.HOURS.toMillis(1)).asSlave());
    registration.registered().await(60, TimeUnit.SECONDS);
    assertThat(told).isEmpty();
    RegistrationVerticle master = new RegistrationVerticle(
        options(false, false, Perm.READ_WRITE, "127.0.0.1:" + port).options(), Clock.system(), new Random(1));
    vertx.deployVerticle(master).await(60, TimeUnit.SECONDS);

    assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(new MasterAddress(ADDRESS, "192.0.2.1:10912"));
  }

  /** The one says what the other has long known to be wrong: only what is new from a name server counts. */
  @Test
  void shouldNotGoBackAndForthBetweenTwoNameServersThatDisagree() throws Exception {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    vertx.eventBus().<MasterAddress>localConsumer(BusAddress.MASTER, message -> told.add(message.body().broker()));
    try (ServerSocket first = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ServerSocket second = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      first.setSoTimeout(60_000);
      second.setSoTimeout(60_000);
      deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + first.getLocalPort(), "127.0.0.1:" + second.getLocalPort()).asSlave());
      try (TestPeer a = new TestPeer(first.accept()); TestPeer b = new TestPeer(second.accept())) {
        a.send(master(a.receive(), "192.0.2.1:1"));
        assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo("192.0.2.1:1");
        b.send(master(b.receive(), "192.0.2.2:1"));
        assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo("192.0.2.2:1");

        for (int i = 0; i < 3; i++) {
          a.send(master(a.receive(), "192.0.2.1:1"));
          b.send(master(b.receive(), "192.0.2.2:1"));
        }
        a.receive();
        RemotingCommand asked = b.receive();
        assertThat(told).isEmpty();

        b.send(asked.success());
        assertThat(told.poll(60, TimeUnit.SECONDS)).as("what is still said, when a word is taken back").isEqualTo("192.0.2.1:1");
      }
    }
  }

  private static RemotingCommand master(RemotingCommand request, String address) {
    return request.success().ext("masterAddr", address).ext("haServerAddr", "192.0.2.9:2");
  }

  @Test
  void shouldNotWaitForANameServerThatDropsPackets() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Socket> backlog = fillBacklog(full);
      int port = nameServer(0);

      deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + full.getLocalPort(), "127.0.0.1:" + port));

      registration.registered().await(60, TimeUnit.SECONDS);
      await(() -> topics(port).equals(List.of("T", "U")));
      assertThat(registration.states().get(0).phase()).isIn(Phase.CONNECTING, Phase.WAITING);
      for (Socket socket : backlog) {
        socket.close();
      }
    }
  }

  /** Connects until nobody answers any more: the kernel drops what comes then. */
  private static List<Socket> fillBacklog(ServerSocket server) throws IOException {
    List<Socket> sockets = new ArrayList<>();
    while (sockets.size() < 100) {
      Socket socket = new Socket();
      sockets.add(socket);
      try {
        socket.connect(server.getLocalSocketAddress(), 1_000);
      } catch (SocketTimeoutException full) {
        return sockets;
      }
    }
    throw new AssertionError("the backlog has no end");
  }

  @Test
  void shouldNotWaitForNameServersThatDoNotAnswer() throws Exception {
    try (ServerSocket blackHole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      int nobody = FreePorts.next();
      int port = nameServer(0);

      deploy(options(false, false, Perm.READ_WRITE,
          "127.0.0.1:" + blackHole.getLocalPort(), "127.0.0.1:" + nobody, "no.such.host.invalid:9876", "127.0.0.1:" + port)
          .withTimeout(3_000));

      registration.registered().await(60, TimeUnit.SECONDS);
      await(() -> topics(port).equals(List.of("T", "U")));
      await(() -> registration.states().get(0).fault().contains("no answer"));
      await(() -> !registration.states().get(1).fault().isEmpty() && !registration.states().get(2).fault().isEmpty());
      assertThat(registration.states().get(3).phase()).isEqualTo(Phase.REGISTERED);
    }
  }

  @Test
  void shouldComeBackAfterANameServersRestart() throws Exception {
    int port = FreePorts.next();
    String first = deployNameServer(port);
    deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + port));
    await(() -> topics(port).equals(List.of("T", "U")));

    vertx.undeploy(first).await(60, TimeUnit.SECONDS);
    await(() -> registration.states().get(0).phase() != Phase.REGISTERED);
    deployNameServer(port);

    await(() -> topics(port).equals(List.of("T", "U")));
    await(() -> registration.states().get(0).phase() == Phase.REGISTERED);
  }

  @Test
  void shouldFindANameServerThatComesUpLater() throws Exception {
    int port = FreePorts.next();
    deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + port));
    await(() -> registration.states().get(0).phase() == Phase.WAITING);
    assertThat(registration.registered().isComplete()).isFalse();

    deployNameServer(port);

    registration.registered().await(60, TimeUnit.SECONDS);
    assertThat(topics(port)).containsExactly("T", "U");
  }

  @Test
  void shouldKeepTheConnectionWhenANameServerRefuses() throws Exception {
    try (ServerSocket refusing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      refusing.setSoTimeout(60_000);
      deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + refusing.getLocalPort()));

      try (TestPeer broker = new TestPeer(refusing.accept())) {
        broker.send(broker.receive().response(ResultCode.SYSTEM_BUSY, "later"));
        RemotingCommand again = broker.receive();
        await(() -> registration.states().get(0).fault().equals("it answered code 2: later"));
        assertThat(registration.registered().isComplete()).isFalse();
        broker.send(again.success());

        registration.registered().await(60, TimeUnit.SECONDS);
        assertThat(again.code()).isEqualTo(RequestCode.REGISTER_BROKER.wire());
      }
    }
  }

  /** It looked like this: every refusal began one more row of tries, and a name server that came to its senses got them all. */
  @Test
  void shouldTryAgainOnceHoweverOftenItWasRefused() throws Exception {
    try (ServerSocket refusing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      refusing.setSoTimeout(60_000);
      RegistrationTable table = new RegistrationTable(options(false, false, Perm.READ_WRITE).options());
      table.apply(new TopicsDelta(VERSION, List.of(T, U), List.of(), true));
      Backoff shortOne = new Backoff(LINK_PAUSE_MS, LINK_PAUSE_MS, new Random(1));
      NameServerLink link = new NameServerLink(vertx, HostAndPort.create("127.0.0.1", refusing.getLocalPort()), TIMEOUT_MS, table,
          Clock.system(), shortOne, () -> {}, master -> {});
      Context loop = vertx.getOrCreateContext();
      loop.runOnContext(begin -> link.connect());
      try (TestPeer broker = new TestPeer(refusing.accept())) {
        for (int i = 0; i < 5; i++) {
          broker.send(broker.receive().response(ResultCode.SYSTEM_BUSY, "later"));
          loop.runOnContext(changed -> link.register());
        }
        broker.send(broker.receive().success());

        loop.runOnContext(begin -> vertx.setTimer(3 * LINK_PAUSE_MS, over -> link.stop()));
        List<Integer> after = new ArrayList<>();
        do {
          RemotingCommand request = broker.receive();
          after.add(request.code());
          broker.send(request.success());
        } while (after.get(after.size() - 1) == RequestCode.REGISTER_BROKER.wire());

        assertThat(after.stream().filter(code -> code == RequestCode.REGISTER_BROKER.wire()).count())
            .as("what was asked for while the last request was on its way").isLessThanOrEqualTo(1);
      }
    }
  }

  @Test
  void shouldRegisterAgainInEveryPeriod() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout(60_000);
      deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + socket.getLocalPort()));

      try (TestPeer broker = new TestPeer(socket.accept())) {
        for (int i = 0; i < 3; i++) {
          RemotingCommand request = broker.receive();
          assertThat(request.code()).isEqualTo(RequestCode.REGISTER_BROKER.wire());
          broker.send(request.success());
        }
      }
    }
  }

  @Test
  void shouldTakeItsRegistrationsBackWhenItStops() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout(60_000);
      deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + socket.getLocalPort())
          .withPeriod(TimeUnit.HOURS.toMillis(1)));

      try (TestPeer broker = new TestPeer(socket.accept())) {
        broker.send(broker.receive().success());
        registration.registered().await(60, TimeUnit.SECONDS);
        var undeployed = vertx.undeploy(deployment);
        RemotingCommand farewell = broker.receive();

        assertThat(undeployed.isComplete()).isFalse();
        assertThat(farewell.code()).isEqualTo(RequestCode.UNREGISTER_BROKER.wire());
        assertThat(farewell.ext()).containsEntry("brokerAddr", ADDRESS).containsEntry("brokerId", "0")
            .containsEntry("brokerName", "b0").containsEntry("clusterName", "c0");
        broker.send(farewell.success());
        undeployed.await(60, TimeUnit.SECONDS);
        assertThat(registration.states().get(0).phase()).isEqualTo(Phase.STOPPED);
        assertThat(broker.receiveToEnd()).isEmpty();
      }
    }
  }

  @Test
  void shouldStopAlthoughANameServerNeverAnswers() throws Exception {
    try (ServerSocket blackHole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      deploy(options(false, false, Perm.READ_WRITE, "127.0.0.1:" + blackHole.getLocalPort(), "127.0.0.1:" + FreePorts.next()));
      await(() -> registration.states().get(0).phase() == Phase.REGISTERING);

      vertx.undeploy(deployment).await(60, TimeUnit.SECONDS);

      assertThat(registration.states()).extracting(NameServerState::phase).containsOnly(Phase.STOPPED);
    }
  }

  @Test
  void shouldBeDoneAtOnceWithoutNameServers() throws Exception {
    deploy(options(false, false, Perm.READ_WRITE));

    registration.registered().await(60, TimeUnit.SECONDS);
    assertThat(registration.states()).isEmpty();
  }

  @Test
  void shouldBringTheConfiguredPeriodWithinItsBounds() {
    assertThat(RegistrationOptions.boundedPeriodMs(9_999)).isEqualTo(10_000);
    assertThat(RegistrationOptions.boundedPeriodMs(30_000)).isEqualTo(30_000);
    assertThat(RegistrationOptions.boundedPeriodMs(60_001)).isEqualTo(60_000);
  }

  private void deploy(Draft draft) throws Exception {
    registration = new RegistrationVerticle(draft.options(), Clock.system(), new Random(1));
    deployment = vertx.deployVerticle(registration).await(60, TimeUnit.SECONDS);
  }

  private record Draft(
      long brokerId, boolean compressed, boolean loopback, int permission, List<HostAndPort> servers, long periodMs, long timeoutMs) {
    Draft withPeriod(long value) {
      return new Draft(brokerId, compressed, loopback, permission, servers, value, timeoutMs);
    }

    Draft withTimeout(long value) {
      return new Draft(brokerId, compressed, loopback, permission, servers, periodMs, value);
    }

    Draft asSlave() {
      return new Draft(1, compressed, loopback, permission, servers, periodMs, timeoutMs);
    }

    RegistrationOptions options() {
      return new RegistrationOptions(
          "c0", "b0", brokerId, brokerId == 0 ? ADDRESS : "192.0.2.2:10911", "192.0.2.1:10912", loopback, permission, servers, compressed, periodMs, timeoutMs);
    }
  }

  private static Draft options(boolean compressed, boolean loopback, int permission, String... servers) {
    List<HostAndPort> parsed = List.of(servers).stream().map(server -> HostAndPort.parseAuthority(server, -1)).toList();
    return new Draft(0, compressed, loopback, permission, parsed, PERIOD_MS, TIMEOUT_MS);
  }

  private int nameServer(int port) throws Exception {
    NameServerVerticle verticle =
        new NameServerVerticle(NameServerOptions.on("127.0.0.1", port, folder.resolve("kvConfig.json")), level -> {}, Clock.system());
    vertx.deployVerticle(verticle).await(60, TimeUnit.SECONDS);
    return verticle.port();
  }

  private String deployNameServer(int port) throws Exception {
    return vertx.deployVerticle(
            new NameServerVerticle(NameServerOptions.on("127.0.0.1", port, folder.resolve("kvConfig.json")), level -> {}, Clock.system()))
        .await(60, TimeUnit.SECONDS);
  }

  private static List<String> topics(int port) throws IOException {
    try (TestPeer client = new TestPeer(port)) {
      client.send(RemotingCommand.request(RequestCode.GET_ALL_TOPIC_LIST_FROM_NAMESERVER));
      return TopicListCodec.decode(client.receive().body());
    }
  }

  private static TopicRoute route(int port, String topic) throws IOException {
    try (TestPeer client = new TestPeer(port)) {
      client.send(RemotingCommand.request(RequestCode.GET_ROUTEINFO_BY_TOPIC).ext("topic", topic));
      return TopicRouteCodec.decode(client.receive().body());
    }
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
  }
}
