package io.metaq.client;

import java.util.List;

/**
 * What one read of a queue gave, with all that the records tell.
 *
 * @param messages in queue order; empty when there is nothing at the offset
 * @param nextQueueOffset where to go on; not what was asked plus one when the offset was outside the queue
 * @param minQueueOffset the oldest message that is kept
 * @param maxQueueOffset the number the next message will get
 */
public record QueueRead(List<FoundMessage> messages, long nextQueueOffset, long minQueueOffset, long maxQueueOffset) {
  public QueueRead {
    messages = List.copyOf(messages);
  }
}
