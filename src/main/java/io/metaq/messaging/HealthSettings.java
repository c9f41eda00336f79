package io.metaq.messaging;

/**
 * Which checks a channel takes part in.
 *
 * @param enabled in any
 * @param readiness whether it is asked if it can reach its cluster
 */
record HealthSettings(boolean enabled, boolean readiness) {
  static HealthSettings of(Attributes attributes) {
    return new HealthSettings(attributes.flag("health-enabled", true), attributes.flag("health-readiness-enabled", true));
  }

  boolean asksReadiness() {
    return enabled && readiness;
  }
}
