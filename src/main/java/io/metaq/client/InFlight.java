package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Bounds what is sent and not yet answered, by messages and by bytes. What is beyond waits its turn; a single guest always fits.
 * Once closed it lets nobody in any more.
 */
@OwnedBy("its client's context")
final class InFlight {
  /** One that wants in. Compared by identity. */
  interface Guest {
    int messages();

    int bytes();

    /** There is room now; {@link InFlight#leave} follows. */
    void admitted();

    /** There never will be room. */
    void refused();
  }

  private final int maxMessages;
  private final long maxBytes;
  private final Set<Guest> waiting = new LinkedHashSet<>();
  private final Promise<Void> drained = Promise.promise();
  private int messages;
  private long bytes;
  private boolean admitting;
  private boolean closed;

  InFlight(int maxMessages, long maxBytes) {
    this.maxMessages = maxMessages;
    this.maxBytes = maxBytes;
  }

  /** Admits the guest as soon as there is room, in the order of the calls. */
  void enter(Guest guest) {
    if (closed) {
      guest.refused();
    } else if (waiting.isEmpty() && fits(guest)) {
      admit(guest);
    } else {
      waiting.add(guest);
    }
  }

  /** Waits no longer. */
  void giveUp(Guest guest) {
    waiting.remove(guest);
    admitWaiting();
  }

  /** One that was admitted is done. */
  void leave(Guest guest) {
    messages -= guest.messages();
    bytes -= guest.bytes();
    admitWaiting();
    drainedIfEmpty();
  }

  /** Refuses everyone who waits or comes; completes when the last one has left. */
  Future<Void> close() {
    closed = true;
    List<Guest> refused = List.copyOf(waiting);
    waiting.clear();
    refused.forEach(Guest::refused);
    drainedIfEmpty();
    return drained.future();
  }

  boolean closed() {
    return closed;
  }

  private void drainedIfEmpty() {
    if (closed && messages == 0) {
      drained.tryComplete();
    }
  }

  /** A guest may leave while it is admitted; the loop that admits it goes on with the next then, so that any number may do so. */
  private void admitWaiting() {
    if (admitting) {
      return;
    }
    admitting = true;
    try {
      while (!waiting.isEmpty()) {
        Iterator<Guest> first = waiting.iterator();
        Guest next = first.next();
        if (!fits(next)) {
          return;
        }
        first.remove();
        admit(next);
      }
    } finally {
      admitting = false;
    }
  }

  private boolean fits(Guest guest) {
    return messages == 0 || messages + guest.messages() <= maxMessages && bytes + guest.bytes() <= maxBytes;
  }

  private void admit(Guest guest) {
    messages += guest.messages();
    bytes += guest.bytes();
    guest.admitted();
  }
}
