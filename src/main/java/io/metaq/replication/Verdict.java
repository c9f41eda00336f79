package io.metaq.replication;

/** What a slave may do after it has compared its log with its master's. */
sealed interface Verdict {
  /**
   * It is a beginning of the master's log.
   *
   * @param report what the master is told first
   * @param next log position of the first byte it sends then
   * @param masterEnd where the master's log ends by now
   */
  record Follow(long report, long next, long masterEnd) implements Verdict {}

  /**
   * It holds what the master's does not; nobody but a person can tell which of the two is right.
   *
   * @param how a clause that names both positions
   */
  record Diverged(String how) implements Verdict {}

  /**
   * It ends before the master's first file, or is empty: it is to be begun anew there.
   *
   * @param position log position of the master's first byte
   */
  record BeginAnew(long position) implements Verdict {}
}
