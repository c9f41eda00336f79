package io.metaq.launcher;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name somebody meant: the one with the fewest changed letters, upper and lower case alike. */
final class Nearest {
  private Nearest() {}

  /** Empty when even the best candidate differs in more than a third of the letters. */
  static Optional<String> of(String name, Collection<String> candidates) {
    String wanted = name.toLowerCase(Locale.ROOT);
    String best = null;
    int fewest = Math.max(2, wanted.length() / 3) + 1;
    for (String candidate : candidates) {
      int changes = changes(wanted, candidate.toLowerCase(Locale.ROOT));
      if (changes < fewest) {
        fewest = changes;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Letters to insert, remove or replace to make {@code b} of {@code a}. */
  private static int changes(String a, String b) {
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      int[] swap = previous;
      previous = current;
      current = swap;
    }
    return previous[b.length()];
  }
}
