package io.metaq.coordinator;

import io.metaq.model.RecordFilter;
import io.metaq.model.SharedBytes;
import io.metaq.store.GetResult;
import java.util.Optional;

/** What pops read of the store. */
interface PopLog {
  /** Hears of one record of the revive log. */
  interface RecordReader {
    /** {@code record} is empty when none is sound there; it is released by the caller. */
    void record(long queueOffset, Optional<? extends SharedBytes> record);
  }

  /** As {@link io.metaq.store.StoreView#get}; what is far behind has come from the disk when it returns. */
  GetResult get(String topic, int queueId, long queueOffset, int maxMessages, int maxBytes, RecordFilter filter);

  /** First offset of a queue that can still be read; 0 when there never was one. */
  long minOffset(String topic, int queueId);

  /** The next offset of a queue. */
  long maxOffset(String topic, int queueId);

  /** Whether the messages from this offset on are so near to the end of the log that they count as new. */
  boolean isRecent(String topic, int queueId, long queueOffset);

  /** One message of a queue; empty when it is not there any more. The caller releases it. */
  Optional<? extends SharedBytes> message(String topic, int queueId, long queueOffset);

  /** Walks over the records of a queue from one offset up to another, which is not among them. */
  void forEach(String topic, int queueId, long from, long to, RecordReader reader);
}
