package io.metaq.coordinator.api;

import io.metaq.model.SharedBytes;
import java.util.List;

/**
 * Messages of one queue in the answer to a pop.
 *
 * @param retry whether the queue belongs to the group's retry topic
 * @param startOffset queue offset at which the read began; with the time of the pop it names the check point
 * @param queueOffsets those of the messages, in the order of the records
 * @param records the records; whoever has them releases them
 * @param bytes how long they are together
 */
public record PoppedQueue(
    boolean retry, int queueId, long startOffset, long[] queueOffsets, List<? extends SharedBytes> records, int bytes) {

  public void release() {
    records.forEach(SharedBytes::release);
  }
}
