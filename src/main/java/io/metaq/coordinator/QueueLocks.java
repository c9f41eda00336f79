package io.metaq.coordinator;

import io.metaq.coordinator.api.GroupsProxy.LockedQueue;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which client may consume a queue in order, for each group. A lock is a lease of {@value #LEASE_MS} ms that each further lock
 * call of its holder renews; nothing else ends it early but its holder, not even the end of his connection: he may still be
 * working. In memory only; times are of the monotonic clock.
 */
@OwnedBy("GroupCoordinatorVerticle")
final class QueueLocks {
  static final long LEASE_MS = 60_000;

  private final Map<String, Map<LockedQueue, Lease>> groups = new HashMap<>();

  /** Locks what is free, run out or the client's already; the answer is what he holds of these queues now. */
  List<LockedQueue> lock(String group, String clientId, List<LockedQueue> queues, long nowMs) {
    Map<LockedQueue, Lease> leases = groups.computeIfAbsent(group, name -> new HashMap<>());
    List<LockedQueue> granted = new ArrayList<>(queues.size());
    for (LockedQueue queue : queues) {
      Lease lease = leases.get(queue);
      if (lease == null || lease.clientId.equals(clientId) || lease.ranOut(nowMs)) {
        leases.put(queue, new Lease(clientId, nowMs));
        granted.add(queue);
      }
    }
    return granted;
  }

  /** Gives back those of these locks that the client holds. */
  void unlock(String group, String clientId, List<LockedQueue> queues) {
    Map<LockedQueue, Lease> leases = groups.getOrDefault(group, Map.of());
    for (LockedQueue queue : queues) {
      Lease lease = leases.get(queue);
      if (lease != null && lease.clientId.equals(clientId)) {
        leases.remove(queue);
      }
    }
  }

  /** Whether any queue of the group is locked. */
  boolean anyHeld(String group, long nowMs) {
    return groups.getOrDefault(group, Map.of()).values().stream().anyMatch(lease -> !lease.ranOut(nowMs));
  }

  /** Forgets what has run out. */
  void sweep(long nowMs) {
    Collection<Map<LockedQueue, Lease>> all = groups.values();
    all.forEach(leases -> leases.values().removeIf(lease -> lease.ranOut(nowMs)));
    all.removeIf(Map::isEmpty);
  }

  private record Lease(String clientId, long lockedMs) {
    boolean ranOut(long nowMs) {
      return nowMs - lockedMs > LEASE_MS;
    }
  }
}
