package io.metaq.net;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests this side sent on one connection that wait for their answers, by opaque. */
@OwnedBy("its event loop")
final class PendingRequests {
  private final Map<Integer, Waiting> byOpaque = new LinkedHashMap<>();
  private int lastOpaque;

  private record Waiting(Promise<RemotingCommand> promise, int code, long timeoutMs, long deadlineNs) {}

  /** Gives the request its opaque and remembers who waits. */
  void add(RemotingCommand request, Promise<RemotingCommand> promise, long timeoutMs, long nowNs) {
    request.opaque(++lastOpaque);
    byOpaque.put(lastOpaque, new Waiting(promise, request.code(), timeoutMs, nowNs + TimeUnit.MILLISECONDS.toNanos(timeoutMs)));
  }

  /** Whether somebody still waits for this answer. */
  boolean awaits(int opaque) {
    return byOpaque.containsKey(opaque);
  }

  void complete(RemotingCommand answer) {
    Waiting waiting = byOpaque.remove(answer.opaque());
    if (waiting != null) {
      waiting.promise.complete(answer);
    }
  }

  /** Fails what has waited long enough. */
  void sweep(long nowNs) {
    if (byOpaque.isEmpty()) {
      return;
    }
    List<Integer> late = new ArrayList<>();
    byOpaque.forEach((opaque, waiting) -> {
      if (nowNs - waiting.deadlineNs >= 0) {
        late.add(opaque);
      }
    });
    // Only now, because whoever is told may send its next request.
    for (Integer opaque : late) {
      Waiting waiting = byOpaque.remove(opaque);
      waiting.promise.fail(new TimeoutException("no answer to request " + waiting.code + " within " + waiting.timeoutMs + " ms"));
    }
  }

  /** Fails everything; the connection is gone. */
  void failAll(Throwable cause) {
    while (!byOpaque.isEmpty()) {
      Iterator<Waiting> all = byOpaque.values().iterator();
      Waiting waiting = all.next();
      all.remove();
      waiting.promise.fail(cause);
    }
  }
}
