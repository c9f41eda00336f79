package io.metaq.broker;

import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.ClientInfo;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** The way from any loop to a client of any other. Every call crosses a thread and completes on the caller's context. */
final class RelayProxy {
  /** What an answer of a client is waited for; well within the 30 s that the event bus waits. */
  static final long TIMEOUT_MS = 10_000;

  private final Vertx vertx;

  RelayProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Sends a request to a client, which is given away; an end without an answer is a value, too. */
  Future<Relay.Outcome> send(ClientInfo client, RemotingCommand request) {
    Relay relay = new Relay(client.connectionId(), request, TIMEOUT_MS);
    return vertx.eventBus().<Relay.Outcome>request(BusAddress.relays(client.loop()), relay, LocalBus.LOCAL).map(reply -> reply.body());
  }
}
