package io.metaq.broker;

import io.metaq.coordinator.api.MasterState;
import io.metaq.model.OwnedBy;

/** What a loop of a slave knows of its master; on a master it is never told anything. */
@OwnedBy("its event loop")
final class MasterSight {
  private MasterState state = MasterState.UNKNOWN;

  void apply(MasterState told) {
    state = told;
  }

  boolean reachable() {
    return state.reachable();
  }

  /** Where the master is, as the end of a sentence about this slave. */
  String words() {
    return state.address().isEmpty() ? "its master is not known yet" : "its master is " + state.address();
  }
}
