package io.metaq.client;

/** Failures of the client for tests of those that meet them. */
public final class Failures {
  private Failures() {}

  public static MetaqException of(MetaqException.Reason reason) {
    return MetaqException.of(reason, "faulty: " + reason);
  }
}
