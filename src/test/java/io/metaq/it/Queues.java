package io.metaq.it;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Names for topics and groups that no other test uses, and the reading of whole queues. */
public final class Queues {

  private static final int FOUND = 0;
  private static final int OFFSET_MOVED = 21;
  private static final int PULL_BATCH = 32;
  private static final long HOLD_MS = 30_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final AtomicInteger COUNT = new AtomicInteger();

  private Queues() {
  }

  /** A name of this test alone. */
  public static String freshName(String stem) {
    return stem + "-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
  }

  /** The first {@code count} messages of a queue; waits for those that are not readable yet. */
  public static List<StoredRecord> readFirst(RawClient client, String topic, int queueId, int count) throws IOException {
    List<StoredRecord> records = new ArrayList<>();
    long next = 0;
    while (records.size() < count) {
      RawFrame answer = client.call(Requests.pull(topic, queueId, next, PULL_BATCH, HOLD_MS));
      if (answer.code() != FOUND) {
        throw new AssertionError(records.size() + " of " + count + " messages, then " + answer);
      }
      records.addAll(StoredRecord.readAll(answer.body()));
      next = answer.number("nextBeginOffset");
    }
    return records;
  }

  /** Waits until a queue holds so many messages that can be read: what was sent and answered, may not be there yet. */
  public static void awaitEnd(RawClient client, String topic, int queueId, long count) throws Exception {
    Await.until(count + " messages in queue " + queueId + " of " + topic, LIMIT,
        () -> client.call(Requests.maxOffset(topic, queueId)).number("offset") >= count);
  }

  /** All messages of a queue that are readable now; see {@link #awaitEnd} for those that were sent just before. */
  public static List<StoredRecord> readAll(RawClient client, String topic, int queueId) throws IOException {
    List<StoredRecord> records = new ArrayList<>();
    RawFrame answer = client.call(Requests.pull(topic, queueId, 0, PULL_BATCH, 0));
    while (answer.code() == FOUND || answer.code() == OFFSET_MOVED) {
      records.addAll(StoredRecord.readAll(answer.body()));
      answer = client.call(Requests.pull(topic, queueId, answer.number("nextBeginOffset"), PULL_BATCH, 0));
    }
    return records;
  }
}
