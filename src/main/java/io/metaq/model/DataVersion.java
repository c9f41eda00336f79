package io.metaq.model;

/** Version of a configuration table; two tables are the same when all three numbers are. {@code timestamp} in ms. */
public record DataVersion(long stateVersion, long timestamp, long counter) {
  public static final DataVersion INITIAL = new DataVersion(0, 0, 0);

  /** The version after one more change at {@code nowMs}. */
  public DataVersion next(long nowMs) {
    return new DataVersion(stateVersion, nowMs, counter + 1);
  }
}
