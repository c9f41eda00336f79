package io.metaq.bus;

import io.metaq.model.OwnedBy;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many batches the event loops have handed to the commit log's writer and it has not taken yet, so that it can see whether one waits
 * without asking its queue. What others than the loops send is not counted.
 */
@OwnedBy("CommitLogVerticle; loops add")
public final class Backlog {
  private final int loops;
  private final AtomicLong handed = new AtomicLong();
  private long taken;

  /** @param loops the senders numbered below this are counted */
  public Backlog(int loops) {
    this.loops = loops;
  }

  /** Called by a loop after it handed a batch over: then it is in the writer's queue when it is seen here. */
  public void handed() {
    handed.incrementAndGet();
  }

  /** Called by the writer for each batch. */
  public void taken(int sender) {
    if (sender < loops) {
      taken++;
    }
  }

  /** Asked by the writer. */
  public boolean isWaiting() {
    return handed.get() - taken > 0;
  }
}
