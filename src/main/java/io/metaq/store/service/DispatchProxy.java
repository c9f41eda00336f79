package io.metaq.store.service;

import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Watches;
import io.vertx.core.Vertx;

/** The way to the dispatcher. */
public final class DispatchProxy {
  private final Vertx vertx;

  public DispatchProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Gives the watches to the dispatcher, which tells their loop at {@link BusAddress#arrivals(int)}. */
  public void watch(Watches watches) {
    vertx.eventBus().send(BusAddress.WATCH, watches, LocalBus.LOCAL);
  }
}
