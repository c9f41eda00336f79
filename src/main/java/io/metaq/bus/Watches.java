package io.metaq.bus;

import io.metaq.model.OwnedBy;
import java.util.Arrays;

/**
 * Queues in which a loop waits for messages, collected over one loop round. The dispatcher answers at once with {@link Arrivals} for
 * those that already reach beyond the offset, and remembers the others until the first message comes; a watch tells once.
 */
@OwnedBy("the loop that fills it, then DispatchVerticle")
public final class Watches {
  private final int loop;
  private String[] topics = new String[8];
  private int[] queueIds = new int[8];
  private long[] queueOffsets = new long[8];
  private int count;

  public Watches(int loop) {
    this.loop = loop;
  }

  public int loop() {
    return loop;
  }

  public int count() {
    return count;
  }

  /** Wants to hear when queue {@code queueId} of {@code topic} has a message at {@code queueOffset} or beyond. */
  public void add(String topic, int queueId, long queueOffset) {
    if (count == topics.length) {
      topics = Arrays.copyOf(topics, count * 2);
      queueIds = Arrays.copyOf(queueIds, count * 2);
      queueOffsets = Arrays.copyOf(queueOffsets, count * 2);
    }
    topics[count] = topic;
    queueIds[count] = queueId;
    queueOffsets[count++] = queueOffset;
  }

  public String topic(int index) {
    return topics[index];
  }

  public int queueId(int index) {
    return queueIds[index];
  }

  public long queueOffset(int index) {
    return queueOffsets[index];
  }
}
