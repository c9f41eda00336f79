package io.metaq.it.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Json;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.official.OfficialClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Our broker under an official name server, and an official broker under ours; an official client cannot tell. */
@Execution(ExecutionMode.CONCURRENT)
class MixedClusterIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int CLUSTER_INFO = 106;
  private static final int TOPIC_LIST = 206;

  @TempDir
  private Path folder;

  @Test
  void shouldRegisterOurBrokerWithAnOfficialNameServer() throws Exception {
    try (OfficialServer namesrv = OfficialServer.nameserver(folder.resolve("namesrv"));
        BrokerProcess broker = BrokerProcess.broker(folder.resolve("broker"), namesrv.address())
            .key("brokerName", "ours").key("brokerClusterName", "mixed").start()) {
      sendAndConsume(namesrv.address(), "ours");
      assertThat(clusterInfo(namesrv.port())).contains("\"ours\"").contains("mixed");

      assertThat(broker.stop()).isZero();
      Await.until("the broker is unregistered", LIMIT, () -> !clusterInfo(namesrv.port()).contains("\"ours\""));

      broker.startAgain();
      Await.until("the broker is registered again", LIMIT, () -> clusterInfo(namesrv.port()).contains("\"ours\""));
      broker.kill();
      Await.until("the broker is gone with its connection", LIMIT, () -> !clusterInfo(namesrv.port()).contains("\"ours\""));
    }
  }

  @Test
  void shouldServeAnOfficialBrokerFromOurNameServer() throws Exception {
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start();
        OfficialServer broker = OfficialServer.broker(folder.resolve("broker"), namesrv.namesrv())) {
      Await.until("the broker is registered", LIMIT, () -> clusterInfo(namesrv.namesrvPort()).contains("\"peer-broker\""));
      sendAndConsume(namesrv.namesrv(), "peer-broker");
      assertThat(call(namesrv.namesrvPort(), RawFrame.request(TOPIC_LIST)).body()).asString(UTF_8).contains("TBW102");

      broker.kill();

      Await.until("the broker is gone with its connection", LIMIT,
          () -> !clusterInfo(namesrv.namesrvPort()).contains("\"peer-broker\""));
    }
  }

  /** Such a broker says that its registration is not compressed, see RegisterBodyCodec. */
  @Test
  void shouldUnderstandAnOfficialBrokerThatCompressesItsRegistration() throws Exception {
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start();
        OfficialServer broker = OfficialServer.broker(folder.resolve("broker"), namesrv.namesrv(), "compressedRegister=true")) {
      Await.until("the broker's topics are known", LIMIT,
          () -> new String(call(namesrv.namesrvPort(), RawFrame.request(TOPIC_LIST)).body(), UTF_8).contains("TBW102"));
      assertThat(clusterInfo(namesrv.namesrvPort())).contains("\"peer-broker\"");
    }
  }

  private static void sendAndConsume(String namesrv, String brokerName) throws Exception {
    String topic = Queues.freshName("mixed");
    AtomicInteger consumed = new AtomicInteger();

    try (OfficialClients clients = new OfficialClients(namesrv)) {
      for (int i = 0; i < 50; i++) {
        assertThat(clients.producer().send(new Message(topic, "t", ("m" + i).getBytes(UTF_8))).getMessageQueue().getBrokerName())
            .isEqualTo(brokerName);
      }
      clients.start(clients.pushConsumer(Queues.freshName("group"), topic, "*"), (MessageListenerConcurrently) (messages, context) -> {
        consumed.addAndGet(messages.size());
        return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
      });
      Await.until("50 messages", LIMIT, () -> consumed.get() >= 50);
    }
    assertThat(consumed).hasValue(50);
  }

  private static String clusterInfo(int namesrvPort) throws Exception {
    RawFrame answer = call(namesrvPort, RawFrame.request(CLUSTER_INFO));
    Map<String, Object> info = Json.object(new String(answer.body(), UTF_8));
    return "\"" + String.join("\" \"", ((Map<?, ?>) info.get("brokerAddrTable")).keySet().stream().map(Object::toString).toList())
        + "\" " + info.get("clusterAddrTable");
  }

  private static RawFrame call(int port, RawFrame request) throws Exception {
    try (RawClient client = RawClient.connect(port)) {
      return client.call(request);
    }
  }
}
