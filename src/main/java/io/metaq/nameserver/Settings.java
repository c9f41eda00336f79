package io.metaq.nameserver;

import io.metaq.model.OwnedBy;

/** The switches as they are now. */
@OwnedBy("NameServerVerticle")
final class Settings {
  private NameServerSwitches switches;

  Settings(NameServerSwitches switches) {
    this.switches = switches;
  }

  NameServerSwitches switches() {
    return switches;
  }

  void change(NameServerSwitches changed) {
    switches = changed;
  }
}
