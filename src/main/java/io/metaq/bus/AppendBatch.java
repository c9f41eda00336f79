package io.metaq.bus;

import io.metaq.model.AppendStatus;
import io.metaq.model.OwnedBy;
import io.metaq.model.PendingRecords;
import io.metaq.model.QueueHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * All records one sender collected in one round of its loop. Lent to CommitLogVerticle by one bus message and returned once, at once,
 * with its columns filled; in between the sender does not touch it. Reused by its sender afterwards.
 *
 * <p>Bound: {@value #CAPACITY} bytes of records, or one record (or producer batch) of any size alone.
 */
@OwnedBy("its sender; lent to CommitLogVerticle until it returns")
public final class AppendBatch implements PendingRecords {
  /** Bytes after which a batch is closed and sent. */
  public static final int CAPACITY = 256 * 1024;

  private final int sender;
  private final GiantBuffers giants;
  private final ByteBuffer own = ByteBuffer.allocateDirect(CAPACITY);
  private ByteBuffer bytes = own;
  private int end;
  private int count;
  private long waiting;

  private QueueHandle[] queues = new QueueHandle[64];
  private int[] starts = new int[64];
  private int[] sizes = new int[64];
  private int[] unitEnds = new int[64];
  private AppendStatus[] statuses = new AppendStatus[64];
  private String[] details = new String[64];
  private long[] phyOffsets = new long[64];
  private long[] queueOffsets = new long[64];

  /** A batch of sender {@code sender}; it returns to {@link BusAddress#appended(int)}. */
  public AppendBatch(int sender) {
    this(sender, new GiantBuffers());
  }

  /** As {@link #AppendBatch(int)}, sharing the sender's buffers for long records with its other batches. */
  public AppendBatch(int sender, GiantBuffers giants) {
    this.sender = sender;
    this.giants = giants;
  }

  public int sender() {
    return sender;
  }

  /** Where the next record is to be encoded: {@link #bytes()} from here on. */
  public int end() {
    return end;
  }

  /**
   * Makes room for {@code size} more bytes.
   *
   * @return false when the batch already holds records and they would not fit beside them: send it first
   */
  public boolean reserve(int size) {
    if (end > 0) {
      return bytes == own && end + size <= CAPACITY;
    }
    if (size > CAPACITY) {
      bytes = giants.take(size);
    }
    return true;
  }

  /**
   * Takes the record that was encoded at {@link #end()} in.
   *
   * @return its index
   */
  public int add(QueueHandle queue, int size) {
    if (count == starts.length) {
      grow();
    }
    int index = count++;
    queues[index] = queue;
    starts[index] = end;
    sizes[index] = size;
    unitEnds[index] = count;
    statuses[index] = null;
    end += size;
    return index;
  }

  /** Takes the records from {@code first} to the last one out again: their sender is refused. */
  public void takeBack(int first) {
    if (first < count) {
      end = starts[first];
      Arrays.fill(queues, first, count, null);
      count = first;
    }
    if (count == 0) {
      giveBackGiant();
    }
  }

  /** Joins the records from {@code first} to the last one into one unit: stored all or none. */
  public void unit(int first) {
    unitEnds[first] = count;
  }

  /** Says that the sender waits for the flush or the replica of a record in this batch. */
  public void waiting() {
    waiting(sender);
  }

  /** Says that a loop waits for the flush or the replica of a record in this batch, though another sent it. */
  public void waiting(int loop) {
    waiting |= 1L << loop;
  }

  /** Who waits for flush or replica, one bit for each. */
  public long waiters() {
    return waiting;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public int start(int index) {
    return starts[index];
  }

  @Override
  public int size(int index) {
    return sizes[index];
  }

  @Override
  public QueueHandle queue(int index) {
    return queues[index];
  }

  @Override
  public int unitEnd(int index) {
    return unitEnds[index];
  }

  @Override
  public void stored(int index, long phyOffset, long queueOffset) {
    statuses[index] = AppendStatus.STORED;
    phyOffsets[index] = phyOffset;
    queueOffsets[index] = queueOffset;
  }

  @Override
  public void refused(int index, AppendStatus status, String detail) {
    statuses[index] = status;
    details[index] = detail;
  }

  /** Refuses whatever has no outcome yet; for the guard around the writer. */
  public void refuseRest(AppendStatus status, String detail) {
    for (int i = 0; i < count; i++) {
      if (statuses[i] == null) {
        refused(i, status, detail);
      }
    }
  }

  /** What became of record {@code index}; set once the batch has returned. */
  public AppendStatus status(int index) {
    return statuses[index];
  }

  /** Why record {@code index} was refused. */
  public String detail(int index) {
    return details[index];
  }

  public long phyOffset(int index) {
    return phyOffsets[index];
  }

  /** Log position behind record {@code index}: what flush and replica must reach. */
  public long endOffset(int index) {
    return phyOffsets[index] + sizes[index];
  }

  public long queueOffset(int index) {
    return queueOffsets[index];
  }

  /** Empties the batch for its next round; the buffer of a giant record is given back. */
  public void clear() {
    Arrays.fill(queues, 0, count, null);
    Arrays.fill(details, 0, count, null);
    Arrays.fill(statuses, 0, count, null);
    count = 0;
    end = 0;
    waiting = 0;
    giveBackGiant();
  }

  private void giveBackGiant() {
    if (bytes != own) {
      giants.giveBack(bytes);
      bytes = own;
    }
  }

  private void grow() {
    int length = starts.length * 2;
    queues = Arrays.copyOf(queues, length);
    starts = Arrays.copyOf(starts, length);
    sizes = Arrays.copyOf(sizes, length);
    unitEnds = Arrays.copyOf(unitEnds, length);
    statuses = Arrays.copyOf(statuses, length);
    details = Arrays.copyOf(details, length);
    phyOffsets = Arrays.copyOf(phyOffsets, length);
    queueOffsets = Arrays.copyOf(queueOffsets, length);
  }
}
