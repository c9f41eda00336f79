package io.metaq.it.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The codes that filters by SQL92 are answered with, ours beside an official broker that has them switched on. */
@Execution(ExecutionMode.CONCURRENT)
class SqlAnswersIT {

  private static final int HEART_BEAT = 34;
  private static final int CHECK_CLIENT_CONFIG = 46;
  private static final String TOPIC = "selected";

  @TempDir
  private Path folder;

  @Test
  void shouldAnswerAsTheOfficialBrokerDoes() throws Exception {
    Map<String, Integer> ours;
    Map<String, Integer> official;
    try (BrokerProcess metaq = BrokerProcess.standalone(folder.resolve("ours")).start();
        OfficialServer peer = OfficialServer.broker(folder.resolve("peer"), metaq.namesrv(), "enablePropertyFilter=true")) {
      ours = answers(metaq.brokerPort());
      official = answers(peer.port());
    }

    assertThat(official.remove("pull that brings a faulty expression")).as("it lets everything through").isZero();
    assertThat(ours.remove("pull that brings a faulty expression")).isEqualTo(23);
    assertThat(ours).isEqualTo(official);
  }

  private static Map<String, Integer> answers(int port) throws Exception {
    Map<String, Integer> codes = new LinkedHashMap<>();
    try (RawClient client = RawClient.connect(port)) {
      client.call(Requests.send(TOPIC, 0, "m".getBytes(UTF_8), Map.of("n", "1")));
      Queues.readFirst(client, TOPIC, 0, 1);
      codes.put("check of a good expression", client.call(check("n = 1")).code());
      codes.put("check of a faulty expression", client.call(check("n = ")).code());
      codes.put("pull that brings a good expression", client.call(pull("n = 1")).code());
      codes.put("pull that brings one that does not match", client.call(pull("n = 2")).code());
      codes.put("pull that brings a faulty expression", client.call(pull("n = ")).code());
      codes.put("pull of an unknown group", client.call(registered(5)).code());
      client.call(heartbeat("n = 1", 5));
      codes.put("pull by the registered expression", client.call(registered(5)).code());
      codes.put("pull by a newer one", client.call(registered(6)).code());
      client.call(heartbeat("n = ", 7));
      codes.put("pull by a registered faulty one", client.call(registered(7)).code());
      client.call(heartbeat("n = 2", 8));
      codes.put("pull by one that does not match", client.call(registered(8)).code());
    }
    return codes;
  }

  private static RawFrame check(String expression) {
    return RawFrame.request(CHECK_CLIENT_CONFIG)
        .body(("{\"clientId\":\"it\",\"group\":\"g\",\"subscriptionData\":" + subscription(expression, 1) + "}").getBytes(UTF_8));
  }

  private static RawFrame pull(String expression) {
    return Requests.pull(TOPIC, 0, 0, 32, 0).ext("subscription", expression).ext("expressionType", "SQL92");
  }

  private static RawFrame registered(long version) {
    return Requests.pull(TOPIC, 0, 0, 32, 0).ext("sysFlag", 0).ext("consumerGroup", "g").ext("subscription", "")
        .ext("subVersion", version).ext("expressionType", "SQL92");
  }

  private static RawFrame heartbeat(String expression, long version) {
    return RawFrame.request(HEART_BEAT).body(("{\"clientID\":\"it\",\"heartbeatFingerprint\":0,\"withoutSub\":false,\"producerDataSet\":[],"
        + "\"consumerDataSet\":[{\"groupName\":\"g\",\"consumeType\":\"CONSUME_PASSIVELY\",\"messageModel\":\"CLUSTERING\","
        + "\"consumeFromWhere\":\"CONSUME_FROM_FIRST_OFFSET\",\"unitMode\":false,\"subscriptionDataSet\":["
        + subscription(expression, version) + "]}]}").getBytes(UTF_8));
  }

  private static String subscription(String expression, long version) {
    return "{\"classFilterMode\":false,\"codeSet\":[],\"tagsSet\":[],\"topic\":\"" + TOPIC + "\",\"subString\":\"" + expression
        + "\",\"expressionType\":\"SQL92\",\"subVersion\":" + version + "}";
  }
}
