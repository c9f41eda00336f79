package io.metaq.it.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What serves HTTP is made at the first request, and answers that one rightly. */
@Timeout(300)
class FirstRequestIT {
  @TempDir Path folder;

  @Test
  void shouldBringInNothingOfTheClientBeforeTheFirstRequestAndTellThenThatItIsReady() throws Exception {
    Path classes = folder.resolve("classes");
    try (BrokerProcess server = BrokerProcess.standalone(folder.resolve("data")).jvm("-Xlog:class+load:file=" + classes).start()) {
      assertThat(Files.readString(classes)).contains("io.metaq.bridge.BridgeVerticle ").doesNotContain("io.metaq.client.MetaqClient ");

      HttpResponse<String> ready = Page.get(server.httpPort(), "/health/ready");

      assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
      assertThat(new JsonObject(ready.body()).getString("status")).isEqualTo("UP");
      assertThat(Files.readString(classes)).contains("io.metaq.client.MetaqClient ");
      assertThat(server.stop()).isZero();
    }
  }

  @Test
  void shouldStopInOrderWithoutAnyRequest() throws Exception {
    try (BrokerProcess server = BrokerProcess.standalone(folder.resolve("data")).start()) {
      assertThat(server.stop()).isZero();
      assertThat(server.logLines()).noneMatch(line -> line.contains(" ERROR ") || line.contains(" WARN "));
    }
  }

  @Test
  void shouldTellThatNobodyAnswersBehindABridge() throws Exception {
    try (BrokerProcess bridge = BrokerProcess.bridge("127.0.0.1:1").start()) {
      assertThat(Page.get(bridge.httpPort(), "/health/ready").statusCode()).isEqualTo(503);
      assertThat(Page.get(bridge.httpPort(), "/health/live").statusCode()).isEqualTo(200);
    }
  }
}
