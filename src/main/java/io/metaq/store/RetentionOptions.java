package io.metaq.store;

import java.util.Set;

/**
 * Which commit log files are deleted.
 *
 * @param keepMs a file is expired when its newest message is older; ms
 * @param deleteHours local hours of the day in which expired files are deleted
 * @param maxUsedPercent above this share of the disk, expired files are deleted at any hour
 * @param cleanForciblyPercent above this share, the oldest files are deleted even when not expired, if {@code cleanForcibly}
 * @param fullPercent above this share, the disk counts as full and nothing is taken
 */
public record RetentionOptions(
    long keepMs,
    Set<Integer> deleteHours,
    int maxUsedPercent,
    int cleanForciblyPercent,
    int fullPercent,
    boolean cleanForcibly) {
  public static final RetentionOptions DEFAULT = new RetentionOptions(72 * 3_600_000L, Set.of(4), 75, 85, 90, true);

  public RetentionOptions {
    deleteHours = Set.copyOf(deleteHours);
  }
}
