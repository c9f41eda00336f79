package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.GroupDetails;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.TopicSettings;
import io.metaq.embedded.EmbeddedMetaq;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConsumeCommandTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String TOPIC = "orders";

  @Test
  void shouldEndWithTheProgressOfWhatItPrintedWhileThereIsMore() throws Exception {
    Vertx vertx = Vertx.vertx();
    EmbeddedMetaq metaq = EmbeddedMetaq.start().await().atMost(LIMIT);
    MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(metaq.nameServers()));
    client.admin().putTopic(TopicSettings.of(TOPIC).queues(1), Optional.empty(), Optional.empty()).await().atMost(LIMIT);
    List<Message> messages = IntStream.range(0, 10).mapToObj(i -> Message.to(TOPIC).body("m" + i)).toList();
    client.sendAll(messages).await().atMost(LIMIT);

    int status = Main.run("consume", "-n", metaq.nameServers(), "-t", TOPIC, "-g", "billing", "--from", "earliest", "--count", "3");

    assertThat(status).isZero();
    GroupDetails group = client.admin().group("billing").await().atMost(LIMIT);
    assertThat(group.queues()).filteredOn(queue -> queue.topic().equals(TOPIC)).extracting(GroupDetails.Queue::offset).containsExactly(3L);
    client.close().await().atMost(LIMIT);
    metaq.close().await().atMost(LIMIT);
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }
}
