package io.metaq.cli;

import java.io.Console;

/** Whether people look on. */
final class Terminal {
  private Terminal() {}

  /** From JDK 22 on there is a console without a terminal too, and a method that tells. */
  static boolean present() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException olderJdk) {
      return true;
    }
  }

  /** A terminal whose user has not asked for plain text (NO_COLOR). */
  static boolean coloured() {
    return present() && System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
  }
}
