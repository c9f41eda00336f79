package io.metaq.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends numbered messages to all queues of a topic, one connection for each with many in flight, until it is stopped or the broker
 * is gone, and enters each answer where it belongs.
 */
final class Load {
  private static final String FILLER = "-".repeat(8_192);
  private static final int IN_FLIGHT = 64;
  private static final int SUCCESS = 0;

  private final int port;
  private final String topic;
  private final String label;
  private final String properties;
  private final int bodyBytes;
  private final long most;
  private final long pauseNanos;
  private final Acknowledged acknowledged;
  private final Map<Integer, LongAdder> answers = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  private Load(Options options, int port, String topic, String label, Acknowledged acknowledged) {
    this.port = port;
    this.topic = topic;
    this.label = label;
    this.acknowledged = acknowledged;
    this.properties = options.waits ? "" : Requests.propertiesText(Map.of("WAIT", "false"));
    this.bodyBytes = options.bodyBytes;
    this.most = options.most;
    this.pauseNanos = options.pauseNanos;
  }

  /**
   * How to send.
   *
   * @param bodyBytes size of a body, at least about
   * @param most messages to each queue
   * @param pauseNanos between two messages of a connection
   * @param waits whether messages wait for slaves
   */
  record Options(int bodyBytes, long most, long pauseNanos, boolean waits) {
    /** As fast as answers come. */
    static final Options HARD = new Options(300, Long.MAX_VALUE, 0, true);
    /** Some thousand messages a second, for as long as a test has other things to do. */
    static final Options STEADY = new Options(300, Long.MAX_VALUE, 2_000_000, true);

    Options bodyBytes(int bytes) {
      return new Options(bytes, most, pauseNanos, waits);
    }

    Options most(long messages) {
      return new Options(bodyBytes, messages, pauseNanos, waits);
    }

    Options waiting(boolean forSlaves) {
      return new Options(bodyBytes, most, pauseNanos, forSlaves);
    }
  }

  /** Starts sending; {@code label} makes the messages of this load differ from all others. */
  static Load start(Options options, int port, String topic, String label, Acknowledged acknowledged) {
    Load load = new Load(options, port, topic, label, acknowledged);
    for (int queueId = 0; queueId < Pair.QUEUES; queueId++) {
      int queue = queueId;
      load.threads.add(new Thread(() -> load.send(queue), "load " + label + " queue " + queue));
    }
    load.threads.forEach(Thread::start);
    return load;
  }

  /** Sends a first message, which makes the broker create the topic. */
  static void createTopic(int port, String topic) throws Exception {
    try (RawClient client = RawClient.connect(port)) {
      assertThat(client.call(Requests.send(topic, 0, "creates the topic")).remark()).isNull();
    }
    Await.until("the topic is there", Pair.LIMIT, () -> end(port, topic) > 0);
  }

  private static long end(int port, String topic) throws IOException {
    try (RawClient client = RawClient.connect(port)) {
      return client.call(Requests.maxOffset(topic, 0)).number("offset");
    }
  }

  private void send(int queueId) {
    try (RawClient client = RawClient.connect(port)) {
      Queue<Integer> inFlight = new ArrayDeque<>();
      Queue<String> texts = new ArrayDeque<>();
      for (long number = 0; number < most && !stopped; number++) {
        String text = label + "/" + queueId + "#" + number + FILLER.substring(0, bodyBytes / 2 + (int) (number % bodyBytes));
        inFlight.add(client.send(Requests.send(topic, queueId, text.getBytes(UTF_8), properties)));
        texts.add(text);
        if (inFlight.size() == IN_FLIGHT) {
          enter(queueId, client.await(inFlight.remove()), texts.remove());
        }
        if (pauseNanos > 0) {
          LockSupport.parkNanos(pauseNanos);
        }
      }
      while (!inFlight.isEmpty()) {
        enter(queueId, client.await(inFlight.remove()), texts.remove());
      }
    } catch (IOException e) {
      // The broker is gone: what was not answered by now counts as not acknowledged.
    }
  }

  private void enter(int queueId, RawFrame answer, String text) {
    answers.computeIfAbsent(answer.code(), code -> new LongAdder()).increment();
    if (answer.code() == SUCCESS) {
      acknowledged.add(queueId, answer.number("queueOffset"), text);
    }
  }

  /** How many answers had each code so far. */
  Map<Integer, Long> answers() {
    Map<Integer, Long> counts = new ConcurrentHashMap<>();
    answers.forEach((code, count) -> counts.put(code, count.sum()));
    return counts;
  }

  /** Sends nothing more, and waits for all answers. */
  void stop() throws InterruptedException {
    stopped = true;
    join();
  }

  /** Waits until all is sent and answered, or the broker is gone. */
  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
