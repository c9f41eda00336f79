package io.metaq.broker;

import static io.metaq.broker.TestBroker.pull;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.bus.ReplicaPeer;
import io.metaq.codec.admin.HaStatusBody;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tools are told in numbers. */
class StatisticsTest {
  @TempDir
  Path folder;
  private TestBroker broker;

  @BeforeEach
  void start() throws Exception {
    broker = new TestBroker(folder, false, true);
  }

  @AfterEach
  void stop() throws Exception {
    broker.close();
  }

  @Test
  void shouldCountByTopicAndByGroup() throws Exception {
    broker.sendAndDispatch("T", "one");
    broker.sendAndDispatch("T", "two");
    broker.ask(pull("T", 0, 0, 0));

    assertThat(statistic("TOPIC_PUT_NUMS", "T")).contains("\"statsDay\":{\"avgpt\":1.0,\"sum\":2,");
    assertThat(statistic("TOPIC_PUT_SIZE", "T")).contains("\"sum\":" + broker.appendedOffset());
    assertThat(statistic("GROUP_GET_NUMS", "T@g")).contains("\"avgpt\":2.0,\"sum\":2,");
    assertThat(statistic("BROKER_PUT_NUMS", "c")).contains("\"sum\":2,");
    assertThat(statistic("BROKER_GET_NUMS", "c")).contains("\"sum\":2,");
  }

  @Test
  void shouldCountWhatIsPopped() throws Exception {
    broker.sendAndDispatch("T", "one");

    RemotingCommand popped = broker.ask(RemotingCommand.request(RequestCode.POP_MESSAGE)
        .ext("consumerGroup", "poppers").ext("topic", "T").ext("queueId", 0).ext("maxMsgNums", 32).ext("invisibleTime", 60_000)
        .ext("pollTime", 0).ext("bornTime", 0).ext("initMode", 0));

    assertThat(popped.code()).as(popped.remark()).isZero();
    assertThat(statistic("GROUP_GET_NUMS", "T@poppers")).contains("\"avgpt\":1.0,\"sum\":1,");
  }

  @Test
  void shouldTellRatesWithTheStateOfTopicsAndGroups() throws Exception {
    broker.sendAndDispatch("T", "one");
    broker.ask(pull("T", 0, 0, 0));

    assertThat(text(RemotingCommand.request(RequestCode.GET_TOPIC_STATS_INFO).ext("topic", "T")))
        .containsPattern("\"topicPutTps\":(0\\.\\d*[1-9]|[1-9])");
    assertThat(text(RemotingCommand.request(RequestCode.GET_CONSUME_STATS).ext("consumerGroup", "g").ext("topic", "T")))
        .containsPattern("\"consumeTps\":(0\\.\\d*[1-9]|[1-9])");
  }

  @Test
  void shouldTellHowTheSlavesOfAMasterAre() throws Exception {
    broker.sendAndDispatch("T", "one");
    long end = broker.appendedOffset();
    broker.replicas.peers(List.of(new ReplicaPeer("10.0.0.2:5", true, end - 10, end, 77), new ReplicaPeer("10.0.0.3:5", true, -1, 0, 0)),
        List.of());

    assertThat(text(RemotingCommand.request(RequestCode.GET_BROKER_HA_STATUS)))
        .contains("\"haConnectionInfo\":[{\"addr\":\"10.0.0.2:5\",\"diff\":10,\"inSync\":false,\"slaveAckOffset\":" + (end - 10)
            + ",\"transferFromWhere\":" + end + ",\"transferredByteInSecond\":77}],\"inSyncSlaveNums\":0,\"master\":true,"
            + "\"masterCommitLogMaxOffset\":" + end);
  }

  @Test
  void shouldTellWhenAReplicaWasHeardLast() throws Exception {
    broker.replicas.peers(List.of(new ReplicaPeer("10.0.0.2:5", true, 0, 0, 7, 1_700_000_000_000L)), List.of());

    HaStatusBody told = HaStatusBody.decode(broker.ask(RemotingCommand.request(RequestCode.GET_BROKER_HA_STATUS)).body());

    assertThat(told.isMaster()).isTrue();
    assertThat(told.slaves()).singleElement().satisfies(slave -> {
      assertThat(slave.answeredMs()).isEqualTo(1_700_000_000_000L);
      assertThat(slave.bytesPerSecond()).isEqualTo(7);
    });
  }

  @Test
  void shouldTellHowASlaveStandsWithItsMaster() throws Exception {
    broker.close();
    broker = TestBroker.slave(folder, true);
    broker.replicas.peers(List.of(new ReplicaPeer("10.0.0.1:6", true, 5, 9, 77)), List.of());

    assertThat(text(RemotingCommand.request(RequestCode.GET_BROKER_HA_STATUS)))
        .contains("\"activated\":true,", "\"masterAddr\":\"10.0.0.1:6\",\"masterFlushOffset\":9,", "\"master\":false,");
  }

  private String statistic(String name, String key) throws Exception {
    return text(RemotingCommand.request(RequestCode.VIEW_BROKER_STATS_DATA).ext("statsName", name).ext("statsKey", key));
  }

  private String text(RemotingCommand request) throws Exception {
    RemotingCommand answer = broker.ask(request);
    assertThat(answer.code()).as(answer.remark()).isZero();
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
