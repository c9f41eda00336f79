package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.bridge.BridgeOptions;
import io.metaq.broker.BrokerOptions;
import io.metaq.model.Clock;
import io.metaq.store.FlushMode;
import io.vertx.core.net.HostAndPort;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoomConfigTest {
  private static final int NAME_SERVER_PORT = 9876;
  private static final int BROKER_PORT = 10911;
  private static final int HA_PORT = 10912;
  private static final int HTTP_PORT = 8080;

  private static BrokerOptions options(RoomConfig config) {
    return config.brokerOptions(config::liveOptions);
  }

  @Test
  void shouldBuildTheRoomsRecordsOfWhatIsConfigured() {
    RoomConfig config = config(Map.of("flushDiskType", "SYNC_FLUSH", "mappedFileSizeCommitLog", "1048576", "messageDelayLevel", "1s 2s",
        "storePathRootDir", "/data/x", "brokerName", "b", "syncFlushTimeout", "77"));

    assertThat(config.store().flushMode()).isEqualTo(FlushMode.SYNC_FLUSH);
    assertThat(config.store().logFileSize()).isEqualTo(1048576);
    assertThat(config.store().delayMs().applyAsLong(2)).isEqualTo(2_000);
    assertThat(config.root()).isEqualTo(Path.of("/data/x"));
    assertThat(options(config).brokerName()).isEqualTo("b");
    assertThat(options(config).syncFlush()).isTrue();
    assertThat(options(config).flushTimeoutMs()).isEqualTo(77);
    assertThat(options(config).maxDelayLevel()).isEqualTo(2);
    assertThat(config.nameServer().kvConfigPath()).isEqualTo(Path.of("/data/x/namesrv/kvConfig.json"));
  }

  @Test
  void shouldKeepThreadsAwakeForAMoment() {
    assertThat(config(Map.of()).stayAwakeNs(2)).isEqualTo(50_000);
    assertThat(config(Map.of("stayAwakeTime", "7")).stayAwakeNs(64)).isEqualTo(7_000);
    assertThat(config(Map.of("stayAwakeTime", "0")).stayAwakeNs(2)).isZero();
  }

  @Test
  void shouldLetThreadsSleepAtOnceOnASingleProcessor() {
    assertThat(config(Map.of("stayAwakeTime", "100")).stayAwakeNs(1)).isZero();
  }

  @Test
  void shouldRegisterAtTheOwnNameServerOverLoopbackAndAtAllOthers() {
    RoomConfig config = config(Map.of("namesrvAddr", "a:1;127.0.0.1:9876; b:2"));

    assertThat(config.registration().nameServers()).containsExactly(
        HostAndPort.create("127.0.0.1", NAME_SERVER_PORT), HostAndPort.create("a", 1), HostAndPort.create("b", 2));
  }

  @Test
  void shouldAllowLoopbackInsteadOfAnAddressNobodyChose() {
    assertThat(config(Map.of()).registration().loopback()).isTrue();
    assertThat(config(Map.of("brokerIP1", "10.1.2.3")).registration().loopback()).isFalse();
    assertThat(config(Map.of("brokerIP1", "10.1.2.3")).registration().address()).isEqualTo("10.1.2.3:" + BROKER_PORT);
    assertThat(config(Map.of("bindAddress", "127.0.0.1")).registration().loopback()).isFalse();
    assertThat(config(Map.of("bindAddress", "127.0.0.1")).registration().address()).isEqualTo("127.0.0.1:" + BROKER_PORT);
  }

  @Test
  void shouldAcceptAnOperatorsCommitLogFolderOnlyWhereItIs() {
    assertThat(config(Map.of("storePathRootDir", "/d", "storePathCommitLog", "/d/x/../commitlog")).store().root()).isEqualTo(Path.of("/d"));
    assertThatThrownBy(() -> config(Map.of("storePathRootDir", "/d", "storePathCommitLog", "/fast/commitlog")).store())
        .isInstanceOf(StartFailure.class)
        .hasMessageStartingWith("storePathCommitLog=/fast/commitlog is not /d/commitlog");
  }

  @Test
  void shouldNameTheKeyOfAnAddressThatCannotBeResolved() {
    assertThatThrownBy(() -> config(Map.of("brokerIP1", "no.such.host.invalid")).broker())
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("brokerIP1=no.such.host.invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ";", ";4", "24", "-1", "04;;05", "04,05", "4 5", "noon"})
  void shouldRefuseHoursThatAreNone(String hours) {
    assertThatThrownBy(() -> config(Map.of("deleteWhen", hours)).store())
        .isInstanceOf(StartFailure.class).hasMessageStartingWith("deleteWhen=" + hours + " is not a list of hours");
  }

  @ParameterizedTest
  @CsvSource({"04, '4'", "'04;16', '4,16'", "'4; 16;', '4,16'", "'00;23', '0,23'"})
  void shouldDeleteInTheHoursThatAreListed(String hours, String expected) {
    assertThat(config(Map.of("deleteWhen", hours)).store().retention().deleteHours())
        .isEqualTo(Stream.of(expected.split(",")).map(Integer::valueOf).collect(Collectors.toSet()));
  }

  @Test
  void shouldGiveAMasterTheBrokerIdZeroAndSaySo() {
    RoomConfig config = config(Map.of("brokerRole", "ASYNC_MASTER", "brokerId", "3"));

    assertThat(config.brokerId()).isZero();
    assertThat(config.identityRemark()).hasValue("brokerId=3 has no effect with brokerRole=ASYNC_MASTER: a master's is 0");
    assertThat(config(Map.of()).identityRemark()).isEmpty();
  }

  @Test
  void shouldRefuseASlaveWithTheIdOfAMaster() {
    assertThat(options(config(Map.of("brokerRole", "SLAVE", "brokerId", "2"))).brokerId()).isEqualTo(2);
    assertThatThrownBy(() -> config(Map.of("brokerRole", "SLAVE")).brokerId())
        .isInstanceOf(StartFailure.class).hasMessageStartingWith("brokerRole=SLAVE needs a brokerId above 0");
  }

  @Test
  void shouldWaitForOneSlaveAsASynchronousMasterUnlessToldOtherwise() {
    assertThat(options(config(Map.of("brokerRole", "SYNC_MASTER"))).replicas().needed()).isEqualTo(1);
    assertThat(config(Map.of("brokerRole", "SYNC_MASTER", "inSyncReplicas", "3")).replication().slavesNeeded()).isEqualTo(2);
    assertThat(options(config(Map.of("brokerRole", "SYNC_MASTER", "inSyncReplicas", "1"))).acknowledgesLater()).isFalse();
    assertThat(options(config(Map.of("inSyncReplicas", "2"))).replicas().needed()).isZero();
    assertThat(options(config(Map.of("haSlaveFallbehindMax", "77"))).replicas().mostBehindBytes()).isEqualTo(77);
  }

  @Test
  void shouldRefuseAMasterAddressWithoutAPort() {
    assertThat(config(Map.of("haMasterAddress", "m:10912")).replication().masterHa()).hasValue("m:10912");
    assertThatThrownBy(() -> config(Map.of("haMasterAddress", "m")).replication())
        .isInstanceOf(StartFailure.class).hasMessage("haMasterAddress=m is not host:port");
  }

  @Test
  void shouldListWhatItServes() {
    List<Endpoint> endpoints = config(Map.of("bindAddress", "127.0.0.1")).endpoints();

    assertThat(endpoints).extracting(Endpoint::toString).containsExactly(
        "name server 127.0.0.1:9876", "broker 127.0.0.1:10911", "http 127.0.0.1:8080");
  }

  @Test
  void shouldServeOverHttpTheClusterItRegistersWith() {
    RoomConfig config = config(Map.of("namesrvAddr", "a:1", "httpOrigins", "https://a.example, https://b.example", "httpHosts", "mq.example"));

    assertThat(config.bridge().nameServers()).isEqualTo("127.0.0.1:9876;a:1");
    assertThat(config.bridge().origins()).containsExactly("https://a.example", "https://b.example");
    assertThat(config.bridge().hosts()).contains("mq.example", LocalAddress.hostName());
    assertThat(config.probes().scope()).isEqualTo(BridgeOptions.Scope.BROKER_PROBES);
  }

  @Test
  void shouldSayWhatABridgeWithoutAClusterLacks() {
    Settings settings = new SettingsReader(ConfigKeys.load(), Set.of(Component.BRIDGE)).read(List.of()).settings();

    assertThatThrownBy(() -> new RoomConfig(settings, Clock.system(), new Ports(0, 0, 0, HTTP_PORT)).bridge())
        .isInstanceOf(StartFailure.class).hasMessageStartingWith("namesrvAddr (-n) is not set");
  }

  @Test
  void shouldReadEachKeyThatIsSaidToBeHonoured() {
    Set<String> read = new TreeSet<>(Set.of("eventLoops", "eventLoopBlockedTime", "logLevel", "nativeTransport", "listenPort",
        "namesrvListenPort", "haListenPort", "httpPort"));
    Map<String, Setting> recording = new HashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      public Setting get(Object name) {
        read.add((String) name);
        return super.get(name);
      }
    };
    settings(Map.of("traceTopicEnable", "true", "haFlowControlEnable", "true")).all().forEach(setting -> recording.put(setting.key().name(), setting));
    RoomConfig config = new RoomConfig(new Settings(recording), Clock.system(), new Ports(NAME_SERVER_PORT, BROKER_PORT, HA_PORT, HTTP_PORT));

    config.nameServer();
    config.stayAwakeNs(2);
    config.store();
    config.flush();
    config.queueFlushIntervalMs();
    config.coordinators();
    config.transactions();
    config.timers();
    config.pops();
    config.popOptions();
    config.brokerServer();
    options(config);
    config.liveOptions();
    config.registration();
    config.replication();
    config.bridge();
    config.probes();

    assertThat(read).containsExactlyInAnyOrderElementsOf(
        ConfigKeys.load().all().stream().filter(ConfigKey::honoured).map(ConfigKey::name).toList());
  }

  private static RoomConfig config(Map<String, String> values) {
    return new RoomConfig(settings(values), Clock.system(), new Ports(NAME_SERVER_PORT, BROKER_PORT, HA_PORT, HTTP_PORT));
  }

  private static Settings settings(Map<String, String> values) {
    return new SettingsReader(ConfigKeys.load(), Set.of(Component.NAMESERVER, Component.BROKER, Component.BRIDGE))
        .read(List.of(Source.options(values))).settings();
  }
}
