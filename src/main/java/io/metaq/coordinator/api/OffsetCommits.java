package io.metaq.coordinator.api;

import io.metaq.model.OwnedBy;
import java.util.Arrays;

/** Consumer offsets that a loop took in during one round, in the order they came; later ones of the same queue win. */
@OwnedBy("the loop that fills it, then OffsetCoordinatorVerticle")
public final class OffsetCommits {
  private String[] groups = new String[8];
  private String[] topics = new String[8];
  private int[] queueIds = new int[8];
  private long[] queueOffsets = new long[8];
  private int count;

  public int count() {
    return count;
  }

  /** {@code queueOffset} is the next one to consume. */
  public void add(String group, String topic, int queueId, long queueOffset) {
    if (count == groups.length) {
      groups = Arrays.copyOf(groups, count * 2);
      topics = Arrays.copyOf(topics, count * 2);
      queueIds = Arrays.copyOf(queueIds, count * 2);
      queueOffsets = Arrays.copyOf(queueOffsets, count * 2);
    }
    groups[count] = group;
    topics[count] = topic;
    queueIds[count] = queueId;
    queueOffsets[count++] = queueOffset;
  }

  /** One of them alone. */
  public OffsetCommits single(int index) {
    OffsetCommits one = new OffsetCommits();
    one.add(groups[index], topics[index], queueIds[index], queueOffsets[index]);
    return one;
  }

  public String group(int index) {
    return groups[index];
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
