package io.metaq.it.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A broker with SQL92 filters switched off, as an unchanged RocketMQ is. */
@Execution(ExecutionMode.CONCURRENT)
class SqlSwitchIT {

  private static final int SYSTEM_ERROR = 1;
  private static final int PARSE_FAILED = 23;
  private static final int CHECK_CLIENT_CONFIG = 46;

  @TempDir
  Path data;

  @Test
  void shouldRefuseSqlAndServeTags() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).key("enablePropertyFilter", false).start();
        RawClient client = RawClient.connect(broker.brokerPort())) {
      client.call(Requests.send("plain", 0, "m"));
      Queues.awaitEnd(client, "plain", 0, 1);

      RawFrame check = client.call(check("n = "));
      RawFrame good = client.call(pull("n = 1"));
      RawFrame bad = client.call(pull("n = "));
      RawFrame tags = client.call(Requests.pull("plain", 0, 0, 32, 0));

      assertThat(check.code()).isEqualTo(SYSTEM_ERROR);
      assertThat(check.remark()).contains("enablePropertyFilter");
      assertThat(good.code()).isEqualTo(SYSTEM_ERROR);
      assertThat(good.remark()).contains("enablePropertyFilter");
      assertThat(bad.code()).isEqualTo(PARSE_FAILED);
      assertThat(tags.code()).isZero();
    }
  }

  private static RawFrame pull(String expression) {
    return Requests.pull("plain", 0, 0, 32, 0).ext("subscription", expression).ext("expressionType", "SQL92");
  }

  private static RawFrame check(String expression) {
    return RawFrame.request(CHECK_CLIENT_CONFIG).body(("{\"clientId\":\"it\",\"group\":\"g\",\"subscriptionData\":{\"topic\":\"plain\","
        + "\"subString\":\"" + expression + "\",\"expressionType\":\"SQL92\"}}").getBytes(UTF_8));
  }
}
