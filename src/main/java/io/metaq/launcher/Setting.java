package io.metaq.launcher;

import java.util.Optional;

/** One key with its effective value (empty: the default depends on the machine) and where that comes from. */
public record Setting(ConfigKey key, Optional<String> value, Origin origin) {
  /** The value for people: secrets are masked. */
  public String shown() {
    return value.map(text -> key.secret() ? "***" : text).orElse("");
  }
}
