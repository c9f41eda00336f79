package io.metaq.replication;

import java.util.Arrays;

/** How far a number of slaves have the log. */
final class Quorum {
  private Quorum() {}

  /**
   * The highest position that {@code needed} of the slaves have acknowledged.
   *
   * @param acknowledged one for each connected slave; gets sorted
   * @return -1 when fewer than needed are connected, or one of those needed has not reported
   */
  static long reached(long[] acknowledged, int needed) {
    if (acknowledged.length < needed) {
      return -1;
    }
    Arrays.sort(acknowledged);
    return acknowledged[acknowledged.length - needed];
  }
}
