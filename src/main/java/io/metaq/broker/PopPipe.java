package io.metaq.broker;

import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.GroupsDelta;
import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.PopProxy;
import io.metaq.coordinator.api.PopProxy.Gone;
import io.metaq.coordinator.api.PopProxy.TurnedAway;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Pops of one loop on their way to the coordinator and back: all of a loop round leave in one message, and each waits here for its
 * answer under a ticket.
 *
 * <p>Bound: {@value #MAX_ASKED} without an answer, those that the coordinator lets wait included; beyond that the connections that
 * bring more are not read, until half of them are gone.
 */
@OwnedBy("its event loop")
final class PopPipe {
  static final int MAX_ASKED = 32_768;

  private final Context context;
  private final PopProxy coordinator;
  private final int loop;
  private final Map<Long, Asked> asked = new HashMap<>();
  private final PausedReaders paused = new PausedReaders();
  private List<PopRequest> requests = new ArrayList<>();
  private long nextTicket;

  PopPipe(Context context, PopProxy coordinator, int loop) {
    this.context = context;
    this.coordinator = coordinator;
    this.loop = loop;
  }

  /** Makes the request of a ticket. */
  interface Maker {
    PopRequest make(int loop, long ticket);
  }

  /** Takes an answer; never both this and {@link #failed}. */
  interface Taker {
    void answered(PopAnswer answer);

    void failed(String reason);
  }

  private record Asked(Connection connection, String group, Taker taker) {}

  void ask(Connection connection, Maker maker, Taker taker) {
    if (requests.isEmpty()) {
      context.runOnContext(tick -> send());
    }
    long ticket = nextTicket++;
    PopRequest request = maker.make(loop, ticket);
    asked.put(ticket, new Asked(connection, request.group(), taker));
    requests.add(request);
    if (asked.size() >= MAX_ASKED) {
      paused.pause(connection);
    }
  }

  private void send() {
    if (requests.isEmpty()) {
      return;
    }
    List<PopRequest> sent = requests;
    requests = new ArrayList<>();
    coordinator.pop(sent).onFailure(nobody -> {
      for (PopRequest request : sent) {
        Asked one = asked.remove(request.ticket());
        if (one != null) {
          one.taker.failed("pops are not served here now: " + nobody.getMessage());
        }
      }
      resume();
    });
  }

  /** Answers came back. */
  void answered(List<PopAnswer> answers) {
    for (PopAnswer answer : answers) {
      Asked one = asked.remove(answer.ticket());
      if (one == null) {
        answer.release();
      } else {
        Telling.tell(one.connection, () -> one.taker.answered(answer));
      }
    }
    resume();
  }

  private void resume() {
    if (asked.size() <= MAX_ASKED / 2) {
      paused.resume();
    }
  }

  /** Forgets what a closed connection waits for. What it is given by now becomes visible again in its time. */
  void gone(Connection connection) {
    paused.gone(connection);
    Set<Long> tickets = new HashSet<>();
    asked.forEach((ticket, one) -> {
      if (one.connection == connection) {
        tickets.add(ticket);
      }
    });
    if (!tickets.isEmpty()) {
      asked.keySet().removeAll(tickets);
      send(); // what has not left yet goes first, or it would wait there for a connection that nobody knows the end of
      coordinator.gone(new Gone(loop, connection.id()));
    }
  }

  /**
   * Groups look different: a pop that waits for one that may not consume any more, or does not exist, is answered at once. Which
   * topics a group may not read does not concern pops, as in RocketMQ.
   */
  void changed(GroupsDelta delta) {
    if (asked.isEmpty()) {
      return;
    }
    Set<String> turnedAway = new HashSet<>(delta.removed());
    delta.changed().stream().map(GroupSnapshot::config).filter(group -> !group.consumeEnabled()).forEach(group ->
        turnedAway.add(group.name()));
    if (turnedAway.isEmpty()) {
      return;
    }
    turnedAway.retainAll(asked.values().stream().map(Asked::group).collect(Collectors.toSet()));
    if (!turnedAway.isEmpty()) {
      send(); // what has not left yet goes first, or it would wait there
      coordinator.turnAway(new TurnedAway(loop, turnedAway));
    }
  }

  /** Has every pop that waits answered, so that clients go elsewhere. */
  void stop() {
    if (!asked.isEmpty()) {
      coordinator.gone(new Gone(loop, Gone.ALL));
    }
  }

  /** True when every pop has its answer. */
  boolean idle() {
    return asked.isEmpty();
  }
}
