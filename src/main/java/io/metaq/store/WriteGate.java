package io.metaq.store;

import io.metaq.model.OwnedBy;

/** Whether the store takes writes at all. Once shut it stays shut: a failed force never heals, and a stop is final. */
@OwnedBy("nobody: the first reason counts")
final class WriteGate {
  private volatile String reason;

  /** Refuses everything from now on. */
  synchronized void shut(String why) {
    if (reason == null) {
      reason = why;
    }
  }

  /** Why nothing is taken; null while the gate is open. */
  String reason() {
    return reason;
  }
}
