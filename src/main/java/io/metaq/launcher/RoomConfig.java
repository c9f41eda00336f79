package io.metaq.launcher;

import io.metaq.bridge.BridgeLimits;
import io.metaq.bridge.BridgeOptions;
import io.metaq.broker.AdminOptions;
import io.metaq.broker.BrokerOptions;
import io.metaq.broker.LiveConfig;
import io.metaq.broker.LiveOptions;
import io.metaq.broker.PopOptions;
import io.metaq.broker.ReplicaRules;
import io.metaq.broker.TimerOptions;
import io.metaq.coordinator.ConflictRule;
import io.metaq.coordinator.CoordinatorOptions;
import io.metaq.coordinator.PopRules;
import io.metaq.coordinator.RegistrationOptions;
import io.metaq.coordinator.TimerRules;
import io.metaq.coordinator.TransactionRules;
import io.metaq.model.AddressRanges;
import io.metaq.model.BrokerRole;
import io.metaq.model.Clock;
import io.metaq.model.DelayLevels;
import io.metaq.model.Topics;
import io.metaq.nameserver.NameServerOptions;
import io.metaq.nameserver.NameServerSwitches;
import io.metaq.net.RemotingServerOptions;
import io.metaq.replication.ReplicationOptions;
import io.metaq.store.DiskMarks;
import io.metaq.store.FlushMode;
import io.metaq.store.RetentionOptions;
import io.metaq.store.StoreOptions;
import io.metaq.store.service.FlushOptions;
import io.vertx.core.net.HostAndPort;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns the settings of a process into the records its rooms are built with. Here, and only here, a key becomes a field. */
final class RoomConfig {
  /** Properties, topic and numbers of a record beside its body. */
  private static final int RECORD_HEADROOM_BYTES = 64 * 1024;
  /** How often silent clients and expired locks are looked for. */
  private static final long CLIENT_SCAN_MS = 10_000;
  private static final long SECOND_MS = 1_000;
  /** Role of the bridge's address in the ready line. */
  private static final String HTTP = "http";
  private static final long HOUR_MS = 3_600_000;
  private static final long US_NS = 1_000;
  private static final Pattern HOURS = Pattern.compile(" *([01]?[0-9]|2[0-3]) *(; *([01]?[0-9]|2[0-3]) *)*;?");
  /** Of a synchronous master: itself and one slave. */
  private static final int CLASSIC_REPLICAS = 2;

  private final Settings settings;
  private final Clock clock;
  private final Ports ports;

  RoomConfig(Settings settings, Clock clock, Ports ports) {
    this.settings = settings;
    this.clock = clock;
    this.ports = ports;
  }

  /** What the process listens on, as clients find it. */
  List<Endpoint> endpoints() {
    List<Endpoint> endpoints = new ArrayList<>();
    if (ports.nameServer() != 0) {
      endpoints.add(new Endpoint(Component.NAMESERVER.words(), listening().getHostAddress(), ports.nameServer()));
    }
    if (ports.broker() != 0) {
      endpoints.add(new Endpoint(Component.BROKER.words(), broker().address().getHostAddress(), ports.broker()));
    }
    if (ports.http() != 0) {
      endpoints.add(new Endpoint(HTTP, listening().getHostAddress(), ports.http()));
    }
    return endpoints;
  }

  /** The address that is listened on, as others can reach it. */
  private InetAddress listening() {
    InetAddress bound = BrokerIdentity.resolve("bindAddress", settings.text("bindAddress"));
    return bound.isAnyLocalAddress() ? LocalAddress.first() : bound;
  }

  BrokerIdentity broker() {
    return BrokerIdentity.of(settings, ports.broker());
  }

  Path root() {
    return settings.path("storePathRootDir");
  }

  /**
   * How long threads on the way of a send look for more work before they sleep. On a single processor they would keep it from the one who
   * brings the work.
   */
  long stayAwakeNs(int processors) {
    return processors > 1 && settings.has("stayAwakeTime") ? settings.number("stayAwakeTime") * US_NS : 0;
  }

  NameServerOptions nameServer() {
    return new NameServerOptions(
        settings.text("bindAddress"),
        ports.nameServer(),
        settings.optional("kvConfigPath").map(Path::of).orElseGet(() -> root().resolve("namesrv").resolve("kvConfig.json")),
        settings.number("scanNotActiveBrokerInterval"),
        AddressRanges.parse(settings.text("adminAllowedFrom")),
        new NameServerSwitches(
            settings.flag("enableAllTopicList"),
            settings.flag("enableTopicList"),
            settings.flag("orderMessageEnable"),
            settings.flag("returnOrderTopicConfigToBroker"),
            settings.flag("deleteTopicWithBrokerRegistration")),
        settings.shown());
  }

  /**
   * @throws StartFailure when {@code storePathCommitLog} is another folder than the one the store has
   */
  StoreOptions store() {
    Path commitLog = root().resolve("commitlog");
    settings.optional("storePathCommitLog").map(Path::of).ifPresent(wanted -> {
      if (!wanted.toAbsolutePath().normalize().equals(commitLog.toAbsolutePath().normalize())) {
        throw new StartFailure("storePathCommitLog=" + wanted + " is not " + commitLog + ", where MetaQ keeps its commit log;"
            + " set storePathRootDir (--data) to the folder above it");
      }
    });
    DelayLevels delays = delayLevels();
    return new StoreOptions(
        root(),
        settings.integer("mappedFileSizeCommitLog"),
        settings.integer("mappedFileSizeConsumeQueue"),
        settings.integer("maxHashSlotNum"),
        settings.integer("maxIndexNum"),
        settings.flag("messageIndexEnable"),
        FlushMode.valueOf(settings.text("flushDiskType")),
        settings.integer("maxMessageSize") + RECORD_HEADROOM_BYTES,
        settings.flag("checkCRCOnRecover"),
        delays::delayMs,
        PhysicalMemory.bytes() / 100 * settings.integer("accessMessageInMemoryMaxRatio"),
        StoreOptions.DEFAULT_UNIT_MEMORY_BYTES,
        retention());
  }

  private RetentionOptions retention() {
    return new RetentionOptions(
        settings.integer("fileReservedTime") * HOUR_MS,
        deleteHours(),
        settings.number("maxCommitLogBytes"),
        settings.flag("cleanFileForciblyEnable"),
        new DiskMarks(
            settings.integer("diskMaxUsedSpaceRatio"),
            settings.integer("diskSpaceCleanForciblyRatio"),
            settings.number("diskSpaceCleanForciblyFreeBytes"),
            settings.integer("diskSpaceWarningLevelRatio"),
            settings.number("diskSpaceWarningLevelFreeBytes")));
  }

  private Set<Integer> deleteHours() {
    String list = settings.text("deleteWhen");
    if (!HOURS.matcher(list).matches()) {
      throw new StartFailure("deleteWhen=" + list + " is not a list of hours from 00 to 23 joined by semicolons");
    }
    Set<Integer> hours = new TreeSet<>();
    for (String hour : list.split(";")) {
      hours.add(Integer.valueOf(hour.trim()));
    }
    return hours;
  }

  boolean syncFlush() {
    return FlushMode.valueOf(settings.text("flushDiskType")) == FlushMode.SYNC_FLUSH;
  }

  FlushOptions flush() {
    return new FlushOptions(
        syncFlush(),
        settings.number("flushIntervalCommitLog"),
        settings.integer("flushCommitLogLeastPages"),
        settings.number("flushCommitLogThoroughInterval"),
        settings.number("flushMessages"),
        settings.number("flushIntervalMs"));
  }

  long queueFlushIntervalMs() {
    return settings.number("flushIntervalConsumeQueue");
  }

  DelayLevels delayLevels() {
    return DelayLevels.parse(settings.text("messageDelayLevel"));
  }

  CoordinatorOptions coordinators() {
    BrokerIdentity broker = broker();
    return new CoordinatorOptions(
        new CoordinatorOptions.TopicRules(
            broker.cluster(),
            broker.name(),
            settings.flag("autoCreateTopicEnable") && !slave(),
            settings.integer("defaultTopicQueueNums"),
            settings.flag("clusterTopicEnable"),
            settings.flag("brokerTopicEnable"),
            settings.flag("traceTopicEnable") ? settings.optional("msgTraceTopicName") : Optional.empty(),
            settings.integer("reviveQueueNum")),
        new CoordinatorOptions.GroupRules(
            settings.flag("autoCreateSubscriptionGroup"),
            settings.flag("notifyConsumerIdsChangedEnable"),
            settings.number("channelExpiredTimeout"),
            CLIENT_SCAN_MS,
            ConflictRule.valueOf(settings.text("subscriptionConflict").toUpperCase(Locale.ROOT))),
        settings.number("flushConsumerOffsetInterval"),
        settings.number("flushDelayOffsetInterval"));
  }

  TransactionRules transactions() {
    return new TransactionRules(
        settings.number("transactionTimeOut"),
        settings.number("transactionCheckInterval"),
        settings.integer("transactionCheckMax"),
        settings.integer("fileReservedTime") * HOUR_MS,
        settings.integer("transactionOpMsgMaxSize"),
        TransactionRules.DEFAULT_SPAN);
  }

  /** A message that waits is stored anew before two thirds of the age are over at which files of the log are deleted. */
  TimerRules timers() {
    int slotMs = Integer.parseInt(settings.text("timerPrecisionMs"));
    long keptMs = settings.integer("fileReservedTime") * HOUR_MS / 3 * 2;
    return new TimerRules(
        settings.flag("timerWheelEnable"),
        root(),
        settings.integer("mappedFileSizeTimerLog"),
        slotMs,
        Math.min((long) settings.integer("timerRollWindowSlot") * slotMs, keptMs),
        settings.number("timerFlushIntervalMs"),
        TimerRules.DEFAULT_KEPT_UNITS,
        slave());
  }

  PopRules pops() {
    BrokerIdentity broker = broker();
    return new PopRules(
        broker.name(),
        Topics.reviveOf(broker.cluster()),
        settings.integer("reviveQueueNum"),
        settings.integer("popPollingSize"),
        settings.number("maxPopPollingSize"),
        settings.integer("popFromRetryProbability"),
        settings.integer("popCkMaxBufferSize"),
        settings.integer("maxTransferBytesOnMessageInMemory"),
        syncFlush());
  }

  PopOptions popOptions() {
    return new PopOptions(
        settings.number("timerMaxDelaySec") * SECOND_MS,
        settings.flag("serverLoadBalancerEnable"),
        settings.text("defaultMessageRequestMode").equals("POP"),
        settings.integer("defaultPopShareQueueNum"));
  }

  /** Whether the broker copies a master instead of taking messages itself. */
  boolean slave() {
    return role() == BrokerRole.SLAVE;
  }

  RemotingServerOptions brokerServer() {
    return RemotingServerOptions.of(settings.text("bindAddress"), ports.broker())
        .withIdleTimeoutMs(settings.number("serverChannelMaxIdleTimeSeconds") * 1_000)
        .withClock(clock);
  }

  /** @param live what may change while the broker runs, as it is now */
  BrokerOptions brokerOptions(Supplier<LiveOptions> live) {
    BrokerIdentity broker = broker();
    return new BrokerOptions(
        broker.cluster(),
        broker.name(),
        brokerId(),
        broker.storeHost(),
        settings.text("regionId"),
        settings.flag("traceOn"),
        settings.integer("maxMessageSize"),
        delayLevels().max(),
        syncFlush(),
        settings.number("syncFlushTimeout"),
        new ReplicaRules(slavesNeeded(), settings.number("slaveTimeout"), settings.number("haMaxGapNotInSync")),
        settings.flag("enablePropertyFilter"),
        settings.flag("storeReplyMessageEnable"),
        settings.flag("useServerSideResetOffset"),
        settings.number("consumerStandstillTime"),
        new TimerOptions(
            settings.flag("timerWheelEnable"),
            settings.integer("timerMaxDelaySec") * SECOND_MS,
            settings.flag("recallMessageEnable")),
        live);
  }

  LiveOptions liveOptions() {
    return new LiveOptions(
        brokerPermission(),
        settings.flag("slaveReadEnable"),
        settings.flag("longPollingEnable"),
        settings.number("shortPollingTimeMills"),
        settings.flag("litePullMessageEnable"),
        settings.integer("maxTransferCountOnMessageInMemory"),
        settings.integer("maxTransferBytesOnMessageInMemory"),
        settings.integer("catchUpShare"),
        settings.flag("rejectTransactionMessage"),
        settings.integer("defaultQueryMaxNum"));
  }

  int brokerPermission() {
    return settings.integer("brokerPermission");
  }

  String logLevel() {
    return settings.text("logLevel");
  }

  Settings settings() {
    return settings;
  }

  /** The same with other settings, at the same places. */
  RoomConfig with(Settings changed) {
    return new RoomConfig(changed, clock, ports);
  }

  AdminOptions admin(LiveConfig config) {
    return new AdminOptions(
        AddressRanges.parse(settings.text("adminAllowedFrom")),
        new Endpoint("broker", broker().address().getHostAddress(), ports.broker()).address(),
        "MetaQ " + Version.current().version(),
        config);
  }

  ReplicationOptions replication() {
    return new ReplicationOptions(
        role(),
        settings.text("bindAddress"),
        ports.replication(),
        settings.number("haSendHeartbeatInterval"),
        settings.number("haHousekeepingInterval"),
        settings.integer("haTransferBatchSize"),
        settings.flag("haFlowControlEnable") ? settings.number("maxHaTransferByteInSecond") : 0,
        slavesNeeded(),
        settings.optional("haMasterAddress").map(RoomConfig::checkedMaster));
  }

  /**
   * 0 for a master, whatever is configured.
   *
   * @throws StartFailure when a slave has none
   */
  long brokerId() {
    long id = settings.number("brokerId");
    if (role() != BrokerRole.SLAVE) {
      return 0;
    }
    if (id == 0) {
      throw new StartFailure("brokerRole=SLAVE needs a brokerId above 0, another for each slave of a master; 0 is the master's");
    }
    return id;
  }

  /** What of the configured identity was replaced, a sentence for the log. */
  Optional<String> identityRemark() {
    long wanted = settings.number("brokerId");
    return wanted == brokerId() ? Optional.empty()
        : Optional.of("brokerId=" + wanted + " has no effect with brokerRole=" + role() + ": a master's is 0");
  }

  BrokerRole role() {
    return BrokerRole.valueOf(settings.text("brokerRole"));
  }

  private static String checkedMaster(String address) {
    HostAndPort parsed = HostAndPort.parseAuthority(address, -1);
    if (parsed == null || parsed.port() <= 0) {
      throw new StartFailure("haMasterAddress=" + address + " is not host:port");
    }
    return address;
  }

  /** Slaves that must have a message; {@code inSyncReplicas} counts the master, too. */
  private int slavesNeeded() {
    int replicas = settings.optional("inSyncReplicas").map(Integer::parseInt).orElse(CLASSIC_REPLICAS);
    return role() == BrokerRole.SYNC_MASTER ? replicas - 1 : 0;
  }

  RegistrationOptions registration() {
    BrokerIdentity broker = broker();
    String clientHost = broker.address().getHostAddress();
    String slaveHost = settings.optional("brokerIP2").orElse(clientHost);
    return new RegistrationOptions(
        broker.cluster(),
        broker.name(),
        brokerId(),
        new Endpoint("broker", clientHost, ports.broker()).address(),
        new Endpoint("slaves", slaveHost, ports.replication()).address(),
        !broker.chosen(),
        brokerPermission(),
        nameServers(),
        settings.flag("compressedRegister"),
        RegistrationOptions.boundedPeriodMs(settings.number("registerNameServerPeriod")),
        settings.number("registerBrokerTimeoutMills"));
  }

  /**
   * The bridge serves the cluster of the name servers that a broker here would register with.
   *
   * @throws StartFailure when there is none
   */
  BridgeOptions bridge() {
    List<String> hosts = new ArrayList<>(words("httpHosts"));
    hosts.add(LocalAddress.hostName());
    return new BridgeOptions(
        BridgeOptions.Scope.CLUSTER,
        settings.text("bindAddress"),
        ports.http(),
        clusterOfBridge(),
        settings.integer("maxMessageSize"),
        AddressRanges.parse(settings.text("adminAllowedFrom")),
        words("httpOrigins"),
        hosts,
        bridgeLimits().withLeaseMs(settings.number("httpLeaseTime")),
        configuration());
  }

  /** What a broker or a name server has on {@code httpPort}. */
  BridgeOptions probes() {
    return new BridgeOptions(
        ports.broker() != 0 ? BridgeOptions.Scope.BROKER_PROBES : BridgeOptions.Scope.NAME_SERVER_PROBES,
        settings.text("bindAddress"), ports.http(), clusterOfBridge(), 0, AddressRanges.LOOPBACK, List.of(), List.of(),
        bridgeLimits(), configuration());
  }

  private BridgeLimits bridgeLimits() {
    BridgeLimits usual = BridgeLimits.standard();
    return settings.optional("httpMaxConnections").map(Integer::parseInt).map(usual::withMaxConnections).orElse(usual);
  }

  private String clusterOfBridge() {
    List<HostAndPort> nameServers = nameServers();
    if (nameServers.isEmpty()) {
      throw new StartFailure("namesrvAddr (-n) is not set: what listens on httpPort asks the name servers of its cluster");
    }
    return nameServers.stream().map(HostAndPort::toString).collect(Collectors.joining(";"));
  }

  private List<BridgeOptions.ConfigEntry> configuration() {
    return settings.all().stream()
        .map(setting -> new BridgeOptions.ConfigEntry(setting.key().name(), setting.shown(), setting.origin().toString())).toList();
  }

  private List<String> words(String key) {
    return Stream.of(settings.text(key).split("[,;\\s]+")).filter(word -> !word.isEmpty()).toList();
  }

  /** The process's own name server, reached over TCP like any other, and those that are configured. */
  private List<HostAndPort> nameServers() {
    Set<String> addresses = new LinkedHashSet<>();
    if (ports.nameServer() != 0) {
      InetAddress bound = BrokerIdentity.resolve("bindAddress", settings.text("bindAddress"));
      String host = bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress().getHostAddress() : bound.getHostAddress();
      addresses.add(new Endpoint("name server", host, ports.nameServer()).address());
    }
    String configured = settings.has("namesrvAddr") ? settings.text("namesrvAddr") : "";
    for (String address : configured.split(";")) {
      if (!address.isBlank()) {
        addresses.add(address.trim());
      }
    }
    return addresses.stream().map(address -> HostAndPort.parseAuthority(address, -1)).toList();
  }

}
