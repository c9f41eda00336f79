package io.metaq.launcher;

import io.metaq.model.Clock;
import io.vertx.core.Vertx;

/** What the verticles of one process are made of: the collaborators they share. */
final class Rooms {
  private final Vertx vertx;
  private final Settings settings;
  private final Clock clock;

  Rooms(Vertx vertx, Settings settings, Clock clock) {
    this.vertx = vertx;
    this.settings = settings;
    this.clock = clock;
  }
}
