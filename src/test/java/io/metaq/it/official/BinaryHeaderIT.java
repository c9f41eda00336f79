package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A client process that speaks the compact binary header, which official clients choose for a whole JVM. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class BinaryHeaderIT {

  private static final int MESSAGES = 50;
  private static final String DONE = "consumed all";

  private final Server server;

  BinaryHeaderIT(Server server) {
    this.server = server;
  }

  @Test
  void shouldServeAClientThatSpeaksTheBinaryHeader() throws Exception {
    Process client = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Drocketmq.serialize.type=ROCKETMQ", "-Duser.home=" + System.getProperty("user.home"),
        "-cp", System.getProperty("java.class.path"), Client.class.getName(), server.namesrv(), Queues.freshName("binary"))
        .redirectErrorStream(true).start();

    try {
      List<String> output = new String(client.getInputStream().readAllBytes(), UTF_8).lines().toList();

      assertThat(output).contains(DONE);
      assertThat(client.waitFor()).isZero();
    } finally {
      client.destroyForcibly();
    }
  }

  /** Sends and consumes with every kind of request a simple application makes. */
  public static final class Client {

    private Client() {
    }

    public static void main(String[] args) throws Exception {
      try (OfficialClients clients = new OfficialClients(args[0])) {
        String topic = args[1];
        CountDownLatch consumed = new CountDownLatch(2 * MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
          clients.producer().send(new Message(topic, "tag", "key", ("m" + i).getBytes(UTF_8)));
        }
        clients.start(clients.pushConsumer(topic + "-group", topic, "tag"), (MessageListenerConcurrently) (messages, context) -> {
          messages.forEach(message -> consumed.countDown());
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        for (int i = 0; i < MESSAGES; i++) {
          clients.producer().send(new Message(topic, "tag", "key", ("n" + i).getBytes(UTF_8)));
        }
        System.out.println(consumed.await(120, TimeUnit.SECONDS) ? DONE : consumed.getCount() + " messages are missing");
      }
      System.exit(0);
    }
  }
}
