package io.metaq.bus;

import io.metaq.model.OwnedBy;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What replication publishes for every thread. On a master: how far enough slaves have the log; on a slave: how it stands with its
 * master.
 */
@OwnedBy("ReplicationVerticle; read by everyone, asked by loops")
public final class ReplicaProgress {
  private volatile long inSyncOffset = -1;
  private volatile long replicatedOffset = -1;
  /** A bit for each loop that asked to be told. */
  private final AtomicLong waiting = new AtomicLong();
  private volatile List<String> states = List.of();
  private volatile List<ReplicaPeer> peers = List.of();

  /**
   * Log position that enough of the slaves connected now have acknowledged, -1 when too few are connected. It falls when one goes;
   * what was told by {@link Watermark} stays true.
   */
  public long inSyncOffset() {
    return inSyncOffset;
  }

  /**
   * Loop: asks to be told, once, of the next position that enough slaves have had, by a {@link Watermark}.
   *
   * @return the highest such position by now, -1 when there is none; a higher one will be told
   */
  public long await(int loop) {
    waiting.accumulateAndGet(1L << loop, (asked, another) -> asked | another);
    return replicatedOffset;
  }

  /** One line for each peer: who it is, its state, its position. */
  public List<String> states() {
    return states;
  }

  /** The peers one by one. */
  public List<ReplicaPeer> peers() {
    return peers;
  }

  /** Owner: publishes the acknowledged position. */
  public void inSync(long phyOffset) {
    inSyncOffset = phyOffset;
  }

  /**
   * Owner: publishes a position that enough slaves have had, higher than the one before.
   *
   * @return a bit for each loop that is to be told of it now
   */
  public long replicated(long phyOffset) {
    replicatedOffset = phyOffset;
    return waiting.get() == 0 ? 0 : waiting.getAndSet(0);
  }

  /** Owner: publishes the peers, and a line for each. */
  public void peers(List<ReplicaPeer> newPeers, List<String> lines) {
    peers = List.copyOf(newPeers);
    states = List.copyOf(lines);
  }
}
