package io.metaq.coordinator;

import io.metaq.model.SharedBytes;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Predicate;

/** What transactions read of the store: the one queue of half messages, the one queue of what ended them, and records. */
interface TransactionLog {
  /** One of the two queues. */
  enum Queue {
    HALF,
    OP
  }

  /** Answer to {@link #place} when there is no record. */
  long NO_RECORD = -1;

  /** First offset of the queue that can still be read; 0 when there never was one. */
  long minOffset(Queue queue);

  /** The next offset of the queue. */
  long maxOffset(Queue queue);

  /** The first offset of the queue whose message was stored at {@code storedMs} or later; its end when there is none. */
  long firstSince(Queue queue, long storedMs);

  /** Place of the record behind an offset of the queue; {@link #NO_RECORD} when there is none. */
  long place(Queue queue, long queueOffset);

  /** The record at a place; empty when none is sound there. The caller releases it. */
  Optional<? extends SharedBytes> record(long phyOffset);

  /** Whether a message of the topic with this unique key, stored at or after {@code fromMs}, passes {@code test}. */
  boolean anyWithKey(String topic, String uniqueKey, long fromMs, Predicate<ByteBuffer> test);
}
