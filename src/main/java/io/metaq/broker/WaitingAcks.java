package io.metaq.broker;

import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import java.util.Arrays;

/**
 * Acknowledgements that wait for one kind of watermark, in a ring ordered by end offset: stored, but not answered before everything
 * below their end is flushed, or before their deadline. One watermark releases all that it covers.
 */
@OwnedBy("its event loop")
final class WaitingAcks {
  /** Answers one acknowledgement. */
  interface Release {
    /**
     * @param phyOffsets one for each message of the unit
     * @param timedOut true when the deadline came first
     */
    void release(Connection connection, int opaque, SerializeType type, int queueId, long queueOffset, long[] phyOffsets, boolean timedOut);
  }

  private final Release release;
  private Connection[] connections = new Connection[256];
  private int[] opaques = new int[256];
  private SerializeType[] types = new SerializeType[256];
  private int[] queueIds = new int[256];
  private long[] queueOffsets = new long[256];
  private long[][] phyOffsets = new long[256][];
  private long[] endOffsets = new long[256];
  private long[] deadlinesNs = new long[256];
  private int head;
  private int count;

  WaitingAcks(Release release) {
    this.release = release;
  }

  int count() {
    return count;
  }

  /** Adds one; {@code endOffset} is never below that of the one before. */
  void add(
      Connection connection, int opaque, SerializeType type, int queueId, long queueOffset, long[] phy, long endOffset, long deadlineNs) {
    if (count == connections.length) {
      grow();
    }
    int at = (head + count++) & (connections.length - 1);
    connections[at] = connection;
    opaques[at] = opaque;
    types[at] = type;
    queueIds[at] = queueId;
    queueOffsets[at] = queueOffset;
    phyOffsets[at] = phy;
    endOffsets[at] = endOffset;
    deadlinesNs[at] = deadlineNs;
  }

  /** Answers everything that ends at or below {@code phyOffset}. */
  void reached(long phyOffset) {
    while (count > 0 && endOffsets[head] <= phyOffset) {
      releaseHead(false);
    }
  }

  /** Answers everything whose deadline has passed. Deadlines grow along the ring, as the time-out is one for all. */
  void expire(long nowNs) {
    while (count > 0 && deadlinesNs[head] - nowNs <= 0) {
      releaseHead(true);
    }
  }

  private void releaseHead(boolean timedOut) {
    int at = head;
    head = (head + 1) & (connections.length - 1);
    count--;
    Connection connection = connections[at];
    long[] phy = phyOffsets[at];
    connections[at] = null;
    phyOffsets[at] = null;
    release.release(connection, opaques[at], types[at], queueIds[at], queueOffsets[at], phy, timedOut);
  }

  private void grow() {
    int length = connections.length;
    connections = turn(connections, Arrays.copyOf(connections, length * 2), length);
    opaques = turn(opaques, new int[length * 2], length);
    types = turn(types, Arrays.copyOf(types, length * 2), length);
    queueIds = turn(queueIds, new int[length * 2], length);
    queueOffsets = turn(queueOffsets, new long[length * 2], length);
    phyOffsets = turn(phyOffsets, Arrays.copyOf(phyOffsets, length * 2), length);
    endOffsets = turn(endOffsets, new long[length * 2], length);
    deadlinesNs = turn(deadlinesNs, new long[length * 2], length);
    head = 0;
  }

  /** Copies a full ring so that its head comes to lie at 0. */
  @SuppressWarnings("SuspiciousSystemArraycopy")
  private <A> A turn(A ring, A into, int length) {
    System.arraycopy(ring, head, into, 0, length - head);
    System.arraycopy(ring, 0, into, length - head, head);
    return into;
  }
}
