package io.metaq.client;

import io.metaq.model.OwnedBy;

/** What a subscriber has asked for and not yet got. {@code Long.MAX_VALUE} is without end. */
@OwnedBy("its client's context")
final class Demand {
  private long open;

  /** More is asked for; at least 1. */
  void add(long more) {
    open = open + more < 0 ? Long.MAX_VALUE : open + more;
  }

  boolean isOpen() {
    return open > 0;
  }

  /** Takes one of what is open; false when nothing is. */
  boolean take() {
    if (open == 0) {
      return false;
    }
    if (open != Long.MAX_VALUE) {
      open--;
    }
    return true;
  }
}
