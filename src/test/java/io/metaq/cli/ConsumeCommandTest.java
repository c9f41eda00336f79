package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.GroupDetails;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.TopicSettings;
import io.metaq.embedded.EmbeddedMetaq;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConsumeCommandTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String TOPIC = "orders";

  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Vertx vertx = Vertx.vertx();
  private EmbeddedMetaq metaq;
  private MetaqClient client;

  @BeforeEach
  void sendTenToOneQueue() {
    metaq = EmbeddedMetaq.start().await().atMost(LIMIT);
    client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(metaq.nameServers()));
    client.admin().putTopic(TopicSettings.of(TOPIC).queues(1), Optional.empty(), Optional.empty()).await().atMost(LIMIT);
    List<Message> messages = IntStream.range(0, 10).mapToObj(i -> Message.to(TOPIC).body("m" + i)).toList();
    client.sendAll(messages).await().atMost(LIMIT);
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void giveBack() throws Exception {
    System.setOut(realOut);
    System.setErr(realErr);
    client.close().await().atMost(LIMIT);
    metaq.close().await().atMost(LIMIT);
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void shouldEndWithTheProgressOfWhatItPrintedWhileThereIsMore() {
    int status = consume("-g", "billing", "--count", "3");

    assertThat(status).isZero();
    assertThat(progress("billing")).containsExactly(3L);
  }

  /** It acknowledged all ten, of which nine were lost with the line they stood in. */
  @Test
  void shouldAcknowledgeNothingThatStandardOutputHasNotTaken() {
    System.setOut(FullDisk.withRoomFor(1));

    int status = consume("-g", "billing", "--count", "10");

    assertThat(status).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("metaq: " + StandardOutput.LOST + System.lineSeparator());
    assertThat(progress("billing")).containsExactly(1L);
  }

  @Test
  void shouldNotCountLinesThatStandardOutputHasNotTaken() {
    System.setOut(FullDisk.withRoomFor(1));

    assertThat(consume("--count", "10")).isEqualTo(1);
  }

  private int consume(String... more) {
    List<String> arguments = new ArrayList<>(List.of("consume", "-n", metaq.nameServers(), "-t", TOPIC, "--from", "earliest"));
    arguments.addAll(List.of(more));
    return Main.run(arguments.toArray(String[]::new));
  }

  private List<Long> progress(String group) {
    GroupDetails details = client.admin().group(group).await().atMost(LIMIT);
    return details.queues().stream().filter(queue -> queue.topic().equals(TOPIC)).map(GroupDetails.Queue::offset).toList();
  }
}
