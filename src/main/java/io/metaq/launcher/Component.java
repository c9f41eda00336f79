package io.metaq.launcher;

import java.util.Locale;

/** Parts of a process a configuration key may belong to. */
public enum Component {
  NAMESERVER,
  BROKER,
  BRIDGE;

  static Component of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** As people write it. */
  String words() {
    return switch (this) {
      case NAMESERVER -> "name server";
      case BROKER -> "broker";
      case BRIDGE -> "bridge";
    };
  }
}
