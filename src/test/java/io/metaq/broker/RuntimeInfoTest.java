package io.metaq.broker;

import static io.metaq.broker.TestBroker.pull;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Await;
import io.metaq.model.RequestCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table that tools print of a broker. */
class RuntimeInfoTest {
  @TempDir
  Path folder;

  @Test
  void shouldCountWhatWasStoredAndRead() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.sendAndDispatch("T", "one");
      broker.sendAndDispatch("T", "two");
      assertThat(broker.ask(pull("T", 0, 0, 0)).code()).isZero();
      assertThat(broker.ask(pull("T", 0, 2, 0)).code()).isNotZero();

      Map<String, String> table = table(broker);

      assertThat(table).containsEntry("brokerVersionDesc", "MetaQ test")
          .containsEntry("putMessageTimesTotal", "2")
          .containsEntry("putMessageFailedTimes", "0")
          .containsEntry("putMessageSizeTotal", Long.toString(broker.appendedOffset()))
          .containsEntry("msgPutTotalTodayNow", "2")
          .containsEntry("msgPutTotalTodayMorning", "0")
          .containsEntry("msgGetTotalTodayNow", "2")
          .containsEntry("commitLogMaxOffset", Long.toString(broker.appendedOffset()))
          .containsEntry("dispatchMaxBuffer", "0")
          .containsEntry("sendThreadPoolQueueSize", "0")
          .containsEntry("startAcceptSendRequestTimeStamp", "0");
      assertThat(table.get("getMessageEntireTimeMax")).matches("\\d+");
      Await.until("the queues have all", Duration.ofSeconds(60), () -> table(broker).get("dispatchBehindBytes").equals("0"));
      Await.until("the disk has all", Duration.ofSeconds(60), () -> table(broker).get("remainHowManyDataToFlush").equals("0 B"));
      assertThat(table.get("putTps")).matches("\\d+\\.\\S+ \\d+\\.\\S+ \\d+\\.\\S+");
      assertThat(table.get("getTransferredTps")).matches("\\d+\\.\\S+ \\d+\\.\\S+ \\d+\\.\\S+");
      assertThat(table.get("earliestMessageTimeStamp")).matches("[1-9]\\d{12}");
      assertThat(table.get("runtime")).matches("\\[ 0 days, 0 hours, \\d+ minutes, \\d+ seconds ]");
      assertThat(table.get("metaqPutBytesTps")).matches("\\d+\\.\\S+ \\d+\\.\\S+ \\d+\\.\\S+");
      assertThat(table.get("metaqPutLatency")).matches("\\d+\\.\\d{3} \\d+\\.\\d{3} \\d+\\.\\d{3} \\d+\\.\\d{3}");
      assertThat(Long.parseLong(table.get("metaqHeapUsedBytes"))).isBetween(1L, Long.parseLong(table.get("metaqHeapMaxBytes")));
      assertThat(Long.parseLong(table.get("metaqDiskFreeBytes"))).isBetween(1L, Long.parseLong(table.get("metaqDiskTotalBytes")));
      assertThat(table).containsEntry("metaqProducers", "0").containsKey("metaqConsumers");
      assertThat(table.get("commitLogDirCapacity")).matches("Total : \\d+\\.\\d GiB, Free : \\d+\\.\\d GiB\\.");
    }
  }

  @Test
  void shouldAnswerWithoutAnyMessage() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      assertThat(table(broker)).containsEntry("putMessageAverageSize", "0.0").doesNotContainKey("earliestMessageTimeStamp");
    }
  }

  @Test
  void shouldTellHowFarEachDelayLevelIs() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.delays("{\"dataVersion\":{\"counter\":1},\"offsetTable\":{\"3\":1,\"12\":7}}");
      broker.ask(TestBroker.send("T", 0, "later").ext("i", "DELAY\u00013\u0002"));
      broker.awaitDispatched("SCHEDULE_TOPIC_XXXX", 2, 1);

      assertThat(table(broker)).containsEntry("scheduleMessageOffset_3", "1,1").containsEntry("scheduleMessageOffset_12", "7,0");
    }
  }

  private static Map<String, String> table(TestBroker broker) throws Exception {
    return KvTableCodec.decode(broker.ask(RemotingCommand.request(RequestCode.GET_BROKER_RUNTIME_INFO)).body());
  }
}
