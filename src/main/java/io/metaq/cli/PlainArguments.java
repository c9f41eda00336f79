package io.metaq.cli;

import java.util.HashSet;
import java.util.Set;

/**
 * Reads the arguments of a server where each is an option of its own followed by its value, as they mostly are. Making picocli's model of a
 * command is a tenth of a start, and only its help, its suggestions and its other ways to write an option need that model: what
 * is not of the plain form, faulty or not, is left to it. PlainArgumentsTest holds the two against each other.
 */
final class PlainArguments {
  private static final String REPEATABLE = "-D";

  private PlainArguments() {}

  /**
   * Reads what follows the command's name.
   *
   * @return false when picocli has to read it, with a new command: this one may have taken some of it
   */
  static boolean read(ServerCommand command, String[] arguments) {
    if (arguments.length % 2 == 0) {
      return false;
    }
    Set<String> given = new HashSet<>();
    for (int i = 1; i < arguments.length; i += 2) {
      String option = arguments[i];
      String value = arguments[i + 1];
      boolean first = given.add(option);
      if (!isPlain(value) || !first && !option.equals(REPEATABLE) || !command.take(option, value)) {
        return false;
      }
    }
    return true;
  }

  /** Nothing that could be an option, a file of arguments or in quotes. */
  private static boolean isPlain(String value) {
    return !value.isEmpty() && value.charAt(0) != '-' && value.charAt(0) != '@' && value.indexOf('"') < 0;
  }
}
