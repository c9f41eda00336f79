package io.metaq.bus;

import io.metaq.model.OwnedBy;
import java.util.List;

/**
 * What replication publishes for every thread. On a master: how far enough slaves have the log; on a slave: how it stands with its
 * master.
 */
@OwnedBy("ReplicationVerticle; read by everyone")
public final class ReplicaProgress {
  private volatile long inSyncOffset = -1;
  private volatile List<String> states = List.of();
  private volatile List<ReplicaPeer> peers = List.of();

  /**
   * Log position that enough of the slaves connected now have acknowledged, -1 when too few are connected. It falls when one goes;
   * what was told by {@link Watermark} stays true.
   */
  public long inSyncOffset() {
    return inSyncOffset;
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

  /** Owner: publishes the peers, and a line for each. */
  public void peers(List<ReplicaPeer> newPeers, List<String> lines) {
    peers = List.copyOf(newPeers);
    states = List.copyOf(lines);
  }
}
