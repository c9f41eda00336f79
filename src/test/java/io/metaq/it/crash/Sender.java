package io.metaq.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Sends numbered messages to one queue, many in flight, until the connection breaks, and keeps what was acknowledged: which text
 * lies at which queue offset.
 */
final class Sender implements Runnable {

  private static final int IN_FLIGHT = 64;
  private static final String FILLER = "-".repeat(300);

  private final int port;
  private final String topic;
  private final int queueId;
  private final String label;
  private final Map<Long, String> acknowledged = new ConcurrentSkipListMap<>();

  Sender(int port, String topic, int queueId, String label) {
    this.port = port;
    this.topic = topic;
    this.queueId = queueId;
    this.label = label;
  }

  @Override
  public void run() {
    try (RawClient client = RawClient.connect(port)) {
      Queue<Integer> inFlight = new ArrayDeque<>();
      Queue<String> texts = new ArrayDeque<>();
      for (int number = 0;; number++) {
        String text = label + "#" + number + FILLER.substring(0, number % FILLER.length());
        inFlight.add(client.send(Requests.send(topic, queueId, text.getBytes(UTF_8), "")));
        texts.add(text);
        if (inFlight.size() == IN_FLIGHT) {
          keep(client.await(inFlight.remove()), texts.remove());
        }
      }
    } catch (IOException e) {
      // The process was killed: what was not answered by now counts as not acknowledged.
    }
  }

  private void keep(RawFrame answer, String text) {
    if (answer.code() != 0) {
      throw new AssertionError("refused: " + answer);
    }
    acknowledged.put(answer.number("queueOffset"), text);
  }

  int queueId() {
    return queueId;
  }

  int count() {
    return acknowledged.size();
  }

  Map<Long, String> acknowledged() {
    return new TreeMap<>(acknowledged);
  }

  /** Runs senders, one for each queue, each on a thread of its own. */
  static List<Thread> start(List<Sender> senders) {
    List<Thread> threads = senders.stream().map(sender -> new Thread(sender, "sender " + sender.queueId())).toList();
    threads.forEach(Thread::start);
    return threads;
  }
}
