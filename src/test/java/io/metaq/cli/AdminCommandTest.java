package io.metaq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.TopicSettings;
import io.metaq.embedded.EmbeddedMetaq;
import io.metaq.it.AwayBroker;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code metaq admin} prints while a broker is registered that nobody reaches. */
@Timeout(120)
class AdminCommandTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private EmbeddedMetaq server;
  private AwayBroker away;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedMetaq.start().await().atMost(LIMIT);
    Vertx vertx = Vertx.vertx();
    MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(server.nameServers()));
    client.admin().putTopic(TopicSettings.of("orders").queues(1), Optional.empty(), Optional.empty()).await().atMost(LIMIT);
    client.admin().putGroup("billing", 16, false, Optional.empty(), Optional.empty()).await().atMost(LIMIT);
    client.send(Message.to("orders").body("here")).await().atMost(LIMIT);
    client.close().await().atMost(LIMIT);
    vertx.close().toCompletionStage().toCompletableFuture().get();
    away = AwayBroker.register(server.nameServers(), "orders");
  }

  @AfterEach
  void stop() throws Exception {
    away.close();
    server.close().await().atMost(LIMIT);
  }

  @Test
  void shouldSayOnTheCommandLineWhatIsMissing() throws Exception {
    assertThat(admin("topics")).containsPattern("orders +normal +>=1 ").contains("without what broker away has: cannot ");
    assertThat(admin("groups")).containsPattern("billing +>=0 +>=0").contains("without what broker away has");
    assertThat(admin("topic", "orders")).contains("at least 1 message in 1 queue").contains("without what broker away has");
    assertThat(admin("group", "billing")).contains("at least 0 members").contains("without what broker away has");
    JsonObject json = new JsonObject(admin("group", "billing", "--json"));
    assertThat(json.getJsonArray("missing").getJsonObject(0).getString("broker")).isEqualTo("away");
    assertThat(json.containsKey("lag")).isFalse();
  }

  @Test
  void shouldSayWhatIsMissingAlsoWhereNothingIsLeftToList() throws Exception {
    EmbeddedMetaq empty = EmbeddedMetaq.start().await().atMost(LIMIT);
    try (AwayBroker other = AwayBroker.register(empty.nameServers(), "payments")) {
      assertThat(adminOf(empty, "topics")).contains("no topics of applications").contains("without what broker away has");
      assertThat(adminOf(empty, "groups")).contains("no consumer groups of applications").contains("without what broker away has");
    } finally {
      empty.close().await().atMost(LIMIT);
    }
  }

  private String admin(String... arguments) {
    return adminOf(server, arguments);
  }

  private static String adminOf(EmbeddedMetaq server, String... arguments) {
    List<String> all = new ArrayList<>(List.of("admin", "-n", server.nameServers()));
    all.addAll(List.of(arguments));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream real = System.out;
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      assertThat(Main.run(all.toArray(String[]::new))).isZero();
    } finally {
      System.setOut(real);
    }
    return out.toString(UTF_8);
  }
}
