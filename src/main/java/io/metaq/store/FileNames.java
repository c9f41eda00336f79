package io.metaq.store;

import java.util.OptionalLong;

/** Names of data files: 20 decimal digits, the place of the file's first byte in its sequence. */
public final class FileNames {
  private static final int DIGITS = 20;

  private FileNames() {}

  public static String ofStart(long start) {
    String digits = Long.toString(start);
    return "0".repeat(DIGITS - digits.length()) + digits;
  }

  /** The start a name tells, empty when it is no name of a data file. */
  public static OptionalLong startOf(String name) {
    if (name.length() != DIGITS || !name.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(name));
    } catch (NumberFormatException beyondLong) {
      return OptionalLong.empty();
    }
  }
}
