package io.metaq.store;

import java.util.Set;

/**
 * Which commit log files are deleted.
 *
 * @param keepMs a file is expired when its newest message is older; ms
 * @param deleteHours local hours of the day in which expired files are deleted
 * @param maxLogBytes while the log is longer than this, its oldest files are deleted at any hour; 0 for no bound
 * @param cleanForcibly whether files that are not expired may be deleted when the disk is nearly full
 * @param marks when the disk is nearly full, and when it is
 */
public record RetentionOptions(long keepMs, Set<Integer> deleteHours, long maxLogBytes, boolean cleanForcibly, DiskMarks marks) {
  public static final RetentionOptions DEFAULT = new RetentionOptions(72 * 3_600_000L, Set.of(4), 0, true, DiskMarks.DEFAULT);

  public RetentionOptions {
    deleteHours = Set.copyOf(deleteHours);
  }
}
