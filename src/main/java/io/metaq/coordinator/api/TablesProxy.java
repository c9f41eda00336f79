package io.metaq.coordinator.api;

import io.metaq.bus.LocalBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Asks the coordinators for the tables that slaves follow. Completes on the caller's context. */
public final class TablesProxy {
  private final Vertx vertx;

  public TablesProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** A table that slaves follow. */
  public enum Table {
    TOPICS("metaq.tables.topics"),
    GROUPS("metaq.tables.groups"),
    OFFSETS("metaq.tables.offsets"),
    /** How far each level of delayed messages has been delivered. */
    DELAYS("metaq.tables.delays"),
    /** Which groups pop. */
    REQUEST_MODES("metaq.tables.modes");

    private final String address;

    Table(String address) {
      this.address = address;
    }

    /** Where its owner is asked for it. */
    public String address() {
      return address;
    }
  }

  /** The table as it is now. */
  public Future<TableBody> body(Table table) {
    return vertx.eventBus().<TableBody>request(table.address(), "all", LocalBus.LOCAL).map(message -> message.body());
  }
}
