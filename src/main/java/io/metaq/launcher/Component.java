package io.metaq.launcher;

import java.util.Locale;

/** Parts of a process a configuration key may belong to. */
public enum Component {
  NAMESERVER,
  BROKER;

  static Component of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** As people write it. */
  String words() {
    return this == NAMESERVER ? "name server" : "broker";
  }
}
