package io.metaq.broker;

import io.metaq.bus.Watches;
import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import io.metaq.store.service.DispatchProxy;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Pulls that found nothing and wait on their loop. A queue is watched by the dispatcher from the moment its first pull is parked; the
 * dispatcher compares the offset with the queue's end when it takes the watch, so a message that arrives in between is not missed.
 *
 * <p>Bound: one entry for each pull a client has outstanding; entries of a closed connection go with it.
 */
@OwnedBy("its event loop")
final class ParkedPulls {
  private final Context context;
  private final DispatchProxy dispatcher;
  private final int loop;
  private final Map<Place, List<Pull>> byQueue = new HashMap<>();
  private Watches watches;
  private int count;
  /** No pull is due before this, in the clock's nanos; means nothing while none waits. */
  private long earliestNs;

  ParkedPulls(Context context, DispatchProxy dispatcher, int loop) {
    this.context = context;
    this.dispatcher = dispatcher;
    this.loop = loop;
  }

  private record Place(String topic, int queueId) {}

  int count() {
    return count;
  }

  /** Lets a pull wait for the message at its offset. */
  void park(Pull pull) {
    hold(pull);
    watch(pull);
  }

  /** Lets a pull wait for its time to be up, or for another one of its queue to be woken, whatever is in the queue now. */
  void hold(Pull pull) {
    byQueue.computeIfAbsent(new Place(pull.topic(), pull.queueId()), queue -> new ArrayList<>(2)).add(pull);
    if (count == 0 || pull.deadlineNs() - earliestNs < 0) {
      earliestNs = pull.deadlineNs();
    }
    count++;
  }

  /** Takes all pulls that wait in a queue out. */
  List<Pull> take(String topic, int queueId) {
    List<Pull> pulls = byQueue.remove(new Place(topic, queueId));
    if (pulls == null) {
      return List.of();
    }
    count -= pulls.size();
    return pulls;
  }

  /** Takes the pulls of one group that wait in a queue out; those of others go on waiting. */
  List<Pull> take(String group, String topic, int queueId) {
    List<Pull> taken = new ArrayList<>();
    for (Pull pull : take(topic, queueId)) {
      if (pull.group().name().equals(group)) {
        taken.add(pull);
      } else {
        park(pull);
      }
    }
    return taken;
  }

  /** Takes out and hands over every pull whose time is up. */
  void expire(long nowNs, Consumer<Pull> expired) {
    if (count == 0 || earliestNs - nowNs > 0) {
      return;
    }
    List<Pull> due = new ArrayList<>();
    earliestNs = nowNs + Long.MAX_VALUE / 2;
    for (Iterator<List<Pull>> queues = byQueue.values().iterator(); queues.hasNext(); ) {
      List<Pull> pulls = queues.next();
      pulls.removeIf(pull -> isDue(pull, nowNs) && due.add(pull));
      if (pulls.isEmpty()) {
        queues.remove();
      }
    }
    count -= due.size();
    due.forEach(expired);
  }

  /** Also notes the earliest of those that are not. */
  private boolean isDue(Pull pull, long nowNs) {
    if (pull.deadlineNs() - nowNs <= 0) {
      return true;
    }
    if (pull.deadlineNs() - earliestNs < 0) {
      earliestNs = pull.deadlineNs();
    }
    return false;
  }

  /** Takes out and hands over the pulls that are meant, whenever they are due. */
  void drain(Predicate<Pull> meant, Consumer<Pull> drained) {
    List<Pull> taken = new ArrayList<>();
    for (Iterator<List<Pull>> queues = byQueue.values().iterator(); queues.hasNext(); ) {
      List<Pull> pulls = queues.next();
      pulls.removeIf(pull -> meant.test(pull) && taken.add(pull));
      if (pulls.isEmpty()) {
        queues.remove();
      }
    }
    count -= taken.size();
    taken.forEach(drained);
  }

  /** Takes out and hands over every pull, whenever it is due. */
  void drain(Consumer<Pull> drained) {
    List<Pull> all = new ArrayList<>();
    byQueue.values().forEach(all::addAll);
    byQueue.clear();
    count = 0;
    all.forEach(drained);
  }

  /** Forgets the pulls of a connection that ended. */
  void gone(Connection connection) {
    if (count == 0) {
      return;
    }
    for (Iterator<List<Pull>> queues = byQueue.values().iterator(); queues.hasNext(); ) {
      List<Pull> pulls = queues.next();
      int before = pulls.size();
      pulls.removeIf(pull -> pull.connection() == connection);
      count -= before - pulls.size();
      if (pulls.isEmpty()) {
        queues.remove();
      }
    }
  }

  /** All watches of a loop round leave in one message. */
  private void watch(Pull pull) {
    if (watches == null) {
      watches = new Watches(loop);
      context.runOnContext(tick -> {
        Watches collected = watches;
        watches = null;
        dispatcher.watch(collected);
      });
    }
    watches.add(pull.topic(), pull.queueId(), pull.queueOffset());
  }
}
