package io.metaq.bus;

import io.metaq.model.OwnedBy;
import java.util.Arrays;

/** Watched queues that got messages in one round of the dispatcher. Each watch of them is used up. */
@OwnedBy("DispatchVerticle while it fills it, then the loop")
public final class Arrivals {
  private String[] topics = new String[8];
  private int[] queueIds = new int[8];
  private int count;

  public int count() {
    return count;
  }

  /** Queue {@code queueId} of {@code topic} reaches beyond the watched offset now. */
  public void add(String topic, int queueId) {
    if (count == topics.length) {
      topics = Arrays.copyOf(topics, count * 2);
      queueIds = Arrays.copyOf(queueIds, count * 2);
    }
    topics[count] = topic;
    queueIds[count++] = queueId;
  }

  public String topic(int index) {
    return topics[index];
  }

  public int queueId(int index) {
    return queueIds[index];
  }
}
