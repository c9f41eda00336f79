package io.metaq.torture;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.Message;
import io.metaq.client.PullResult;
import io.metaq.client.SendReceipt;
import io.metaq.client.TopicQueue;
import io.metaq.model.OwnedBy;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends numbered messages to a broker with many on their way, and reads all there are. */
@OwnedBy("the thread of the round; acknowledgements come on the client's")
final class Traffic implements AutoCloseable {
  private static final String TOPIC = "torture";
  private static final int IN_FLIGHT = 64;
  private static final int READ_AT_ONCE = 32;
  private static final Duration SEND_LIMIT = Duration.ofSeconds(3);
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(20);
  private static final Duration READ_LIMIT = Duration.ofSeconds(60);

  /** A message and where it was acknowledged. */
  record Acknowledged(Place place, long number) {}

  private final Vertx vertx;
  private final MetaqClient client;
  private final Semaphore slots = new Semaphore(IN_FLIGHT);
  private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  Traffic(Vertx vertx, String nameServer) {
    this.vertx = vertx;
    this.client = MetaqClient.create(
        vertx, new MetaqClientOptions().setNameServers(nameServer).setSendTimeout(SEND_LIMIT).setRequestTimeout(REQUEST_LIMIT));
  }

  /** Messages acknowledged so far. */
  int count() {
    return count.get();
  }

  /** Sends one as soon as fewer are on their way than may be. */
  void send(long number) throws IOException {
    acquire(1);
    client.send(Message.to(TOPIC).key("key" + number).body(Payload.of(number))).subscribe().with(
        receipt -> answered(receipt, number), failure -> slots.release());
  }

  /** Waits until nothing is on its way any more, and tells what was acknowledged. */
  Queue<Acknowledged> settle() throws IOException {
    acquire(IN_FLIGHT);
    slots.release(IN_FLIGHT);
    return acknowledged;
  }

  /** Bodies of all messages by place. */
  Map<Place, byte[]> readAll() {
    Map<Place, byte[]> found = new HashMap<>();
    for (TopicQueue queue : client.queues(TOPIC).await().atMost(READ_LIMIT)) {
      long at = 0;
      long end = 1;
      while (at < end) {
        PullResult result = client.pull(queue, at, READ_AT_ONCE).await().atMost(READ_LIMIT);
        end = result.maxQueueOffset();
        for (Message message : result.messages()) {
          found.put(new Place(queue.topic(), queue.queueId(), at++), message.body());
        }
        if (result.messages().isEmpty() && at < end || result.nextQueueOffset() != at) {
          throw new IllegalStateException("reading " + new Place(queue.topic(), queue.queueId(), at) + " gave " + result.messages().size()
              + " messages and is to go on at " + result.nextQueueOffset() + ", the queue ends at " + end);
        }
      }
    }
    return found;
  }

  @Override
  public void close() {
    client.close().onFailure().recoverWithNull().await().atMost(READ_LIMIT);
    vertx.close();
  }

  private void answered(SendReceipt receipt, long number) {
    if (receipt.stage() == SendReceipt.Stage.STORED) {
      acknowledged.add(new Acknowledged(new Place(receipt.topic(), receipt.queueId(), receipt.queueOffset()), number));
      count.incrementAndGet();
    }
    slots.release();
  }

  private void acquire(int wanted) throws IOException {
    try {
      if (!slots.tryAcquire(wanted, 4 * SEND_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("sends are not answered, nor do they fail");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }
}
