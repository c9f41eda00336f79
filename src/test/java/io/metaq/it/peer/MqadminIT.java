package io.metaq.it.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The official mqadmin against MetaQ and, command by command, against an Apache RocketMQ of the same names: no stack trace
 * where there is none from the other, and output of the same shape.
 */
@Execution(ExecutionMode.CONCURRENT)
class MqadminIT {
  private static final Duration LIMIT = Duration.ofSeconds(480);
  private static final String CLUSTER = "PeerCluster";
  private static final String BROKER = "peer-broker";
  private static final Pattern CODE = Pattern.compile("CODE: \\d+");
  /** What keys of request 28 begin with that no tool of RocketMQ knows. */
  private static final String OWN_KEYS = "metaq";

  /** Keys of request 28 that have no meaning here, and why. */
  private static final Map<String, String> WITHOUT = Map.of(
      ".*ThreadPoolQueueCapacity", "requests do not wait in queues of thread pools: a loop that has too much reads no more",
      "EndTransactionQueueSize|(query|litePull|adminBroker).*", "the same; those that mqadmin clusterList prints are 0",
      ".*[tT]ransientStore.*|remainHowManyDataToCommit", "there is no pool of buffers between a message and its file",
      "commitLogDiskRatio_.*", "where the files lie is told to nobody over the wire; commitLogDiskRatio is the same number",
      "scheduleMessageOffset_.*", "only levels that ever had a message; RuntimeInfoTest has them",
      ".*RocksDB.*|.*rocksdb.*|rocksDB.*", "there is no RocksDB");

  /** Commands of the official tool that are not run here, and why. */
  private static final Map<String, String> NOT_RUN = Map.ofEntries(
      Map.entry("clusterRT", "never ends; sends as sendMsgStatus does"),
      Map.entry("updateStaticTopic", "static topics"),
      Map.entry("remappingStaticTopic", "static topics"),
      Map.entry("addBroker|removeBroker", "a container of brokers"),
      Map.entry("getSyncStateSet|getControllerMetaData|getControllerConfig|updateControllerConfig|electMaster|cleanBrokerMetadata"
          + "|resetMasterFlushOffset", "a controller"),
      Map.entry("getColdDataFlowCtrInfo|updateColdDataFlowCtrGroupConfig|removeColdDataFlowCtrGroupConfig", "a limit for cold reads"),
      Map.entry("setCommitLogReadAheadMode", "how a mapping of the log is read ahead"),
      Map.entry("(create|update|delete|get|list|copy)(User|Acl)", "users and permissions"),
      Map.entry("exportMetadataInRocksDB|rocksDBConfigToJson|checkRocksdbCqWriteProgress|switchTimerEngine|exportPopRecord", "RocksDB"),
      Map.entry("dumpCompactionLog", "a local file of compacted topics"),
      Map.entry("getBrokerLiteInfo|getParentTopicInfo|getLiteTopicInfo|getLiteClientInfo|getLiteGroupInfo|triggerLiteDispatch",
          "lite topics"));

  /** How much of the outputs must agree. */
  private enum Shape {
    /** Every line, numbers and addresses apart. */
    LINES,
    /**
     * What stands before {@code :} or {@code =} in each line: ours is the other's, but for {@link #OWN_KEYS} and what is explained in
     * {@link #WITHOUT}.
     */
    KEYS,
    /** The first line, and the number of columns below. */
    HEADER,
    /** Both fail, with the same result code. */
    FAILURE
  }

  /** One row of the table; {@code why} explains what is compared less than line by line. */
  private record Row(String command, Shape shape, String why) {
  }

  private static Row same(String command) {
    return new Row(command, Shape.LINES, "");
  }

  private static final List<Row> ROWS = List.of(
      same("updateTopic -n {ns} -b {addr} -t Orders -r 2 -w 2"),
      same("updateTopic -n {ns} -c PeerCluster -t Second -a +message.type=FIFO"),
      same("updateTopicPerm -n {ns} -b {addr} -t Second -p 4"),
      same("topicRoute -n {ns} -t Orders"),
      same("topicClusterList -n {ns} -t Orders"),
      same("sendMessage -n {ns} -t Orders -p hello -k key1 -c red -b peer-broker -i 0"),
      same("queryMsgById -n {ns} -t Orders -i {msgId}"),
      same("queryMsgByUniqueKey -n {ns} -t Orders -i {msgId}"),
      same("queryMsgByKey -n {ns} -t Orders -k key1"),
      same("queryMsgByOffset -n {ns} -t Orders -b peer-broker -i 0 -o 0"),
      same("printMsg -n {ns} -t Orders -d true"),
      same("printMsgByQueue -n {ns} -t Orders -a peer-broker -i 0 -p true -d true"),
      same("consumeMessage -n {ns} -t Orders -b peer-broker -i 0 -o 0 -c 1"),
      same("queryCq -n {ns} -t Orders -q 0 -i 0 -c 1"),
      same("topicStatus -n {ns} -t Orders"),
      same("allocateMQ -n {ns} -t Orders -i 10.0.0.1,10.0.0.2"),
      same("updateSubGroup -n {ns} -b {addr} -g Readers -s true -r 3"),
      same("getConsumerConfig -n {ns} -g Readers"),
      same("resetOffsetByTime -n {ns} -g Readers -t Orders -s now"),
      same("updateTopic -n {ns} -b {addr} -t %RETRY%Readers -r 1 -w 1"),
      same("updateSubGroup -n {ns} -b {addr} -g Others"),
      same("cloneGroupOffset -n {ns} -s Readers -d Others -t Orders"),
      same("consumerProgress -n {ns} -g Readers"),
      same("brokerConsumeStats -n {ns} -b {addr}"),
      same("consumerProgress -n {ns}"),
      new Row("statsAll -n {ns}", Shape.HEADER, "the brokers' own topics differ"),
      same("statsAll -n {ns} -t Orders"),
      same("skipAccumulatedMessage -n {ns} -g Readers -t Orders"),
      new Row("consumerConnection -n {ns} -g Readers", Shape.FAILURE, "nobody is connected"),
      new Row("consumerStatus -n {ns} -g Readers", Shape.FAILURE, "nobody is connected"),
      new Row("producerConnection -n {ns} -g Writers -t Orders", Shape.FAILURE, "nobody is connected"),
      same("producer -n {ns} -b {addr}"),
      same("sendMessage -n {ns} -t Orders -p traced -m true"),
      same(MqadminChild.CONSUME + " {ns} Live Orders"),
      same("consumerConnection -n {ns} -g Live"),
      same("consumerStatus -n {ns} -g Live"),
      same("consumerProgress -n {ns} -g Live -s true"),
      same("resetOffsetByTime -n {ns} -g Live -t Orders -s now"),
      same("skipAccumulatedMessage -n {ns} -g Live -t Orders"),
      same("topicStatus -n {ns} -t Orders -c PeerCluster"),
      same("haStatus -n {ns} -b {addr}"),
      new Row("getBrokerEpoch -n {ns} -b peer-broker", Shape.FAILURE, "neither has a controller"),
      same("sendMsgStatus -n {ns} -b peer-broker -s 128 -c 2"),
      same("setConsumeMode -n {ns} -b {addr} -t Orders -g Others -m POP -q 4"),
      same("updateTopicList -n {ns} -b {addr} -f {folder}/topics.json"),
      same("updateSubGroupList -n {ns} -b {addr} -f {folder}/groups.json"),
      new Row("clusterList -n {ns}", Shape.HEADER, "the version is another, and rates depend on how fast the machine is"),
      same("clusterList -n {ns} -m"),
      new Row("brokerStatus -n {ns} -b {addr}", Shape.KEYS, "what has no meaning here"),
      new Row("getBrokerConfig -n {ns} -b {addr}", Shape.HEADER, "MetaQ shows the keys it knows"),
      same("updateBrokerConfig -n {ns} -b {addr} -k longPollingEnable -v false"),
      same("updateBrokerConfig -n {ns} -c PeerCluster -k longPollingEnable -v true"),
      new Row("updateBrokerConfig -n {ns} -b {addr} -k configBlackList -v x", Shape.FAILURE, "a key that must not change"),
      same("exportMetrics -n {ns} -c PeerCluster -f {folder}"),
      same("cleanExpiredCQ -n {ns} -b {addr}"),
      same("cleanUnusedTopic -n {ns} -b {addr}"),
      same("deleteExpiredCommitLog -n {ns} -b {addr}"),
      same("updateKvConfig -n {ns} -s space -k a -v b"),
      same("deleteKvConfig -n {ns} -s space -k a"),
      same("updateOrderConf -n {ns} -m put -t Orders -v peer-broker:2"),
      same("updateOrderConf -n {ns} -m get -t Orders"),
      same("updateOrderConf -n {ns} -m delete -t Orders"),
      new Row("getNamesrvConfig -n {ns}", Shape.HEADER, "MetaQ shows the keys it knows"),
      same("updateNamesrvConfig -n {ns} -k enableTopicList -v true"),
      same("wipeWritePerm -n {ns} -b peer-broker"),
      same("addWritePerm -n {ns} -b peer-broker"),
      same("checkMsgSendRT -n {ns} -t Orders -a 2 -s 10"),
      same("exportMetadata -n {ns} -b {addr} -t -f {folder}"),
      same("exportMetadata -n {ns} -c PeerCluster -g -f {folder}"),
      same("exportConfigs -n {ns} -c PeerCluster -f {folder}"),
      same("queryMsgTraceById -n {ns} -i {msgId}"),
      same("deleteSubGroup -n {ns} -b {addr} -g Readers -r true"),
      same("deleteTopic -n {ns} -c PeerCluster -t Second"),
      new Row("topicList -n {ns}", Shape.HEADER, "the brokers' own topics differ"),
      new Row("topicList -n {ns} -c PeerCluster", Shape.HEADER, "the brokers' own topics differ"),
      same("updateNamesrvConfig -n {ns} -k orderMessageEnable -v false"),
      new Row("consumerProgress -n {ns} -g Live -t Orders", Shape.HEADER, "the member may not have committed yet"),
      // Goes on in the background until the process ends.
      same("startMonitoring -n {ns}"));

  @TempDir
  private Path folder;

  /** What one command printed. */
  private record Outcome(String printed) {
    boolean failed() {
      return printed.contains("Exception");
    }
  }

  @Test
  void shouldServeTheCommandsOfTheOfficialTool() throws Exception {
    // At once: most of the time the tool waits for its own threads to end.
    CompletableFuture<List<Outcome>> withMetaq = CompletableFuture.supplyAsync(this::withMetaq);
    CompletableFuture<List<Outcome>> withRocketmq = CompletableFuture.supplyAsync(this::withRocketmq);
    List<Outcome> ours = withMetaq.join();
    List<Outcome> theirs = withRocketmq.join();

    List<String> differences = new ArrayList<>();
    for (int i = 0; i < ROWS.size(); i++) {
      compare(ROWS.get(i), ours.get(i), theirs.get(i)).forEach(differences::add);
    }
    assertThat(differences).as(() -> String.join("\n", differences)).isEmpty();
  }

  @Test
  void shouldKnowWhyACommandOfTheOfficialToolIsNotRunHere() throws Exception {
    Class<?> tool = Class.forName("org.apache.rocketmq.tools.command.MQAdminStartup");
    tool.getMethod("initCommand").invoke(null);
    Field commands = tool.getDeclaredField("SUB_COMMANDS");
    commands.setAccessible(true);
    Set<String> names = new TreeSet<>();
    for (Object command : (List<?>) commands.get(null)) {
      names.add((String) command.getClass().getMethod("commandName").invoke(command));
    }
    Set<String> run = ROWS.stream().map(row -> row.command.split(" ")[0]).collect(Collectors.toSet());

    assertThat(names).hasSizeGreaterThan(90).allSatisfy(name -> assertThat(
        run.contains(name) ^ NOT_RUN.keySet().stream().anyMatch(name::matches)).as(name).isTrue());
  }

  private List<Outcome> withMetaq() {
    try (BrokerProcess metaq = BrokerProcess.standalone(folder.resolve("ours")).key("brokerClusterName", CLUSTER)
        .key("brokerName", BROKER).key("brokerIP1", "127.0.0.1").start()) {
      return run(folder.resolve("metaq"), metaq.namesrv(), "127.0.0.1:" + metaq.brokerPort());
    } catch (Exception failure) {
      throw new AssertionError("with MetaQ: " + failure.getMessage(), failure);
    }
  }

  private List<Outcome> withRocketmq() {
    try (OfficialServer namesrv = OfficialServer.nameserver(folder.resolve("namesrv"));
        OfficialServer broker = OfficialServer.broker(folder.resolve("broker"), namesrv.address())) {
      Await.until("the official broker is registered", LIMIT, () -> registered(namesrv.port()));
      return run(folder.resolve("rocketmq"), namesrv.address(), broker.address());
    } catch (Exception failure) {
      throw new AssertionError("with RocketMQ: " + failure.getMessage(), failure);
    }
  }

  private static Stream<String> compare(Row row, Outcome ours, Outcome theirs) {
    String difference = null;
    if (ours.failed() != theirs.failed()) {
      difference = "one of them failed";
    } else {
      difference = switch (row.shape) {
        case LINES -> shape(ours.printed).equals(shape(theirs.printed)) ? null : "other lines";
        case KEYS -> keysDiffer(ours, theirs);
        case HEADER -> header(ours.printed).equals(header(theirs.printed)) ? null : "another header";
        case FAILURE -> ours.failed() && codes(ours.printed).equals(codes(theirs.printed)) ? null : "another code";
      };
    }
    return difference == null
        ? Stream.empty()
        : Stream.of(row.command + ": " + difference + "\n--- MetaQ\n" + ours.printed + "--- RocketMQ\n" + theirs.printed);
  }

  /** The lines without what no two servers have alike; those of one shape count once. */
  private static Set<String> shape(String printed) {
    return lines(printed)
        .map(line -> line
            .replaceAll("\\b[0-9A-F]{32,56}\\b", "ID").replaceAll("/(metaq|rocketmq)/", "/").replaceAll("[0-9][0-9.,:/-]*(E-?\\d+)?", "0")
            .replaceAll("\\s+", " ").trim())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static String keysDiffer(Outcome ours, Outcome theirs) {
    Set<String> more = new TreeSet<>(others(ours));
    more.removeAll(keys(theirs.printed));
    Set<String> less = new TreeSet<>(keys(theirs.printed));
    less.removeAll(keys(ours.printed));
    less.removeIf(key -> WITHOUT.keySet().stream().anyMatch(key::matches));
    return more.isEmpty() && less.isEmpty() && !others(ours).isEmpty() ? null : "keys too many: " + more + ", missing: " + less;
  }

  private static Set<String> others(Outcome ours) {
    return keys(ours.printed).stream().filter(key -> !key.startsWith(OWN_KEYS)).collect(Collectors.toSet());
  }

  private static Set<String> keys(String printed) {
    return lines(printed).map(line -> line.split("[:=]")[0].trim()).collect(Collectors.toSet());
  }

  private static String header(String printed) {
    return shape(lines(printed).limit(1).collect(Collectors.joining())).toString();
  }

  private static Set<String> codes(String printed) {
    return CODE.matcher(printed).results().map(found -> found.group()).collect(Collectors.toSet());
  }

  private static Stream<String> lines(String printed) {
    return printed.lines().filter(line -> !line.isBlank() && !line.contains("WARN") && !line.startsWith("SLF4J"));
  }

  private static List<Outcome> run(Path folder, String namesrv, String address) throws Exception {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("topics.json"), """
        [{"topicName":"Listed","readQueueNums":1,"writeQueueNums":1,"perm":6,"topicFilterType":"SINGLE_TAG","topicSysFlag":0,"order":false}]
        """);
    Files.writeString(folder.resolve("groups.json"), "[{\"groupName\":\"Listed\",\"consumeEnable\":true}]");
    Path commands = Files.write(folder.resolve("commands"), ROWS.stream()
        .map(row -> row.command.replace("{ns}", namesrv).replace("{addr}", address).replace("{folder}", folder.toString())).toList());
    Path report = Files.createDirectories(Path.of("target", "it-logs")).resolve("mqadmin-" + folder.getFileName() + ".txt").toAbsolutePath();
    Files.deleteIfExists(report);
    Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
        "-XX:TieredStopAtLevel=1", "-Duser.home=" + folder, "-Drocketmq.home.dir=" + folder, "-cp",
        System.getProperty("java.class.path"), MqadminChild.class.getName(), commands.toString(), report.toString())
        .directory(folder.toFile()).redirectErrorStream(true).redirectOutput(folder.resolve("child.out").toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(child::destroyForcibly));
    boolean ended = child.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
    child.destroyForcibly();
    List<Outcome> outcomes = outcomes(Files.exists(report) ? Files.readString(report) : "");
    if (!ended || outcomes.size() < ROWS.size()) {
      throw new AssertionError("stopped at: " + ROWS.get(Math.min(outcomes.size(), ROWS.size() - 1)).command + "\n"
          + Files.readString(folder.resolve("child.out")).lines().filter(line -> !line.contains("|-")).collect(Collectors.joining("\n")));
    }
    return outcomes;
  }

  private static List<Outcome> outcomes(String report) {
    List<Outcome> outcomes = new ArrayList<>();
    StringBuilder printed = new StringBuilder();
    for (String line : report.lines().toList()) {
      if (line.equals(MqadminChild.END)) {
        outcomes.add(new Outcome(printed.toString()));
        printed.setLength(0);
      } else {
        printed.append(line).append('\n');
      }
    }
    return outcomes;
  }

  static boolean registered(int namesrvPort) throws Exception {
    try (RawClient client = RawClient.connect(namesrvPort)) {
      return new String(client.call(RawFrame.request(106)).body(), StandardCharsets.UTF_8).contains(BROKER);
    }
  }
}
