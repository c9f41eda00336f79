package io.metaq.coordinator.api;

import io.metaq.bus.LocalBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageProducer;
import java.util.List;
import java.util.Set;

/** What can be asked of PopVerticle. */
public final class PopProxy {
  public static final String POP = "metaq.pop.requests";
  public static final String SETTLE = "metaq.pop.settle";
  public static final String GONE = "metaq.pop.gone";
  public static final String TURNED_AWAY = "metaq.pop.turned.away";
  public static final String WAITING = "metaq.pop.waiting";

  private final Vertx vertx;
  private final MessageProducer<List<PopRequest>> pops;

  public PopProxy(Vertx vertx) {
    this.vertx = vertx;
    this.pops = vertx.eventBus().sender(POP, LocalBus.LOCAL);
  }

  /** A connection of a loop ended; {@link #ALL} of them when the loop stops. */
  public record Gone(int loop, long connectionId) {
    public static final long ALL = -1;

    /** Whether nobody takes the answer to this request any more. */
    public boolean concerns(PopRequest request) {
      return request.loop() == loop && (connectionId == ALL || request.connectionId() == connectionId);
    }
  }

  /** Groups that may not consume any more, or do not exist, as a loop has just heard: what it let pass before is not to wait. */
  public record TurnedAway(int loop, Set<String> groups) {
    public TurnedAway {
      groups = Set.copyOf(groups);
    }

    public boolean concerns(PopRequest request) {
      return request.loop() == loop && groups.contains(request.group());
    }
  }

  /** Asks how many pops wait. */
  public record Waiting(String group, String topic, int queueId) {}

  /**
   * Hands requests over. Each is answered once by a {@link PopAnswer}, in lists to {@link io.metaq.bus.BusAddress#popped(int)} of
   * its loop, unless its connection is {@link #gone}.
   *
   * @return fails when nobody is there to take them
   */
  public Future<Void> pop(List<PopRequest> requests) {
    return pops.write(requests);
  }

  /** Has these carried out; one outcome for each, in order. */
  public Future<List<SettleOutcome>> settle(List<SettleRequest> requests) {
    return vertx.eventBus().<List<SettleOutcome>>request(SETTLE, requests, LocalBus.LOCAL).map(message -> message.body());
  }

  /** What this connection waits for is of no use any more. When the whole loop stops its waiting pops are answered. */
  public void gone(Gone gone) {
    vertx.eventBus().send(GONE, gone, LocalBus.LOCAL);
  }

  /** Has those of a loop that wait for these groups answered at once, empty. */
  public void turnAway(TurnedAway turnedAway) {
    vertx.eventBus().send(TURNED_AWAY, turnedAway, LocalBus.LOCAL);
  }

  /** How many pops wait for messages of exactly this queue id, {@link PopRequest#ANY_QUEUE} included. */
  public Future<Integer> waiting(String group, String topic, int queueId) {
    return vertx.eventBus().<Integer>request(WAITING, new Waiting(group, topic, queueId), LocalBus.LOCAL)
        .map(message -> message.body());
  }
}
