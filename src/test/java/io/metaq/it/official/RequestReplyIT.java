package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.exception.RequestTimeoutException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.RequestCallback;
import org.apache.rocketmq.client.utils.MessageUtil;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Requests and their replies between official clients. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class RequestReplyIT {

  private static final long TIMEOUT_MS = 60_000;

  private final OfficialClients clients;
  private final OfficialClients repliers;
  private final String topic = Queues.freshName("requests");
  private final Queue<Object> replies = new ConcurrentLinkedQueue<>();

  RequestReplyIT(Server server) {
    clients = new OfficialClients(server.namesrv());
    repliers = new OfficialClients(server.namesrv());
  }

  @AfterEach
  void close() {
    clients.close();
    repliers.close();
  }

  @Test
  void shouldBringTheReplyToTheRequester() throws Exception {
    startReplier();

    Message reply = clients.producer().request(new Message(topic, "ping".getBytes(UTF_8)), TIMEOUT_MS);

    assertThat(new String(reply.getBody(), UTF_8)).isEqualTo("reply to ping");
    assertThat(reply.getUserProperty("own")).isEqualTo("kept");
    assertThat(reply.getProperty("PUSH_REPLY_TIME")).isNotNull();
  }

  @Test
  void shouldBringALargeCompressedReplyToACallback() throws Exception {
    startReplier();
    String large = "so much of the same. ".repeat(5_000);
    CompletableFuture<Message> received = new CompletableFuture<>();

    clients.producer().request(new Message(topic, large.getBytes(UTF_8)), new RequestCallback() {
      @Override
      public void onSuccess(Message message) {
        // Clients of RocketMQ 5.5 call it without one when the request is sent, too.
        if (message != null) {
          received.complete(message);
        }
      }

      @Override
      public void onException(Throwable e) {
        received.completeExceptionally(e);
      }
    }, TIMEOUT_MS);

    assertThat(new String(received.get(2 * TIMEOUT_MS, TimeUnit.MILLISECONDS).getBody(), UTF_8)).isEqualTo("reply to " + large);
  }

  @Test
  void shouldTellTheReplierThatTheRequesterIsGone() throws Exception {
    clients.producer().send(new Message(topic, "makes the topic".getBytes(UTF_8)));
    Await.until("a request that nobody answers", Duration.ofSeconds(60), () -> {
      try {
        clients.producer().request(new Message(topic, "ping".getBytes(UTF_8)), 1_500);
        return false;
      } catch (RequestTimeoutException expected) {
        return true;
      } catch (MQClientException | RemotingException tooSlow) {
        return false;
      }
    });
    clients.close();

    startReplier();
    Await.until("a reply that found nobody", Duration.ofSeconds(60), () -> !replies.isEmpty());

    assertThat(replies.peek()).isInstanceOfSatisfying(MQClientException.class, failure -> {
      assertThat(failure.getResponseCode()).isEqualTo(1);
      assertThat(failure.getCause()).hasMessageContaining("not found");
    });
  }

  /** Replies to each request; what became of it is in {@link #replies}. */
  private void startReplier() throws Exception {
    DefaultMQProducer producer = repliers.producer();
    producer.send(new Message(topic, "makes the topic".getBytes(UTF_8)));
    repliers.start(repliers.pushConsumer(Queues.freshName("repliers"), topic, "*"), (MessageListenerConcurrently) (messages, context) -> {
      messages.forEach(message -> reply(producer, message));
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });
  }

  private void reply(DefaultMQProducer producer, MessageExt message) {
    try {
      if (message.getProperty("REPLY_TO_CLIENT") != null) {
        Message reply = MessageUtil.createReplyMessage(message, ("reply to " + new String(message.getBody(), UTF_8)).getBytes(UTF_8));
        reply.putUserProperty("own", "kept");
        replies.add(producer.send(reply, 10_000));
      }
    } catch (Exception e) {
      replies.add(e);
    }
  }
}
