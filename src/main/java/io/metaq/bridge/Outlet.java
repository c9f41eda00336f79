package io.metaq.bridge;

import io.vertx.core.Future;

/** Where the messages of one subscription go. */
interface Outlet {
  /** Writes a message; completes when the network has taken it, fails when it never will. */
  Future<Void> message(Item item);

  /** No more will come. */
  void failed(Throwable cause);
}
