package io.metaq.cli;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Asks before something is changed. A program says {@code --yes}: without a terminal nobody could be asked. */
final class Confirmation {
  private static final Set<String> AGREEING = Set.of("y", "yes");

  private final Optional<UnaryOperator<String>> person;

  @Option(names = {"-y", "--yes"}, description = "Does it without asking; needed where there is no terminal.")
  private boolean yes;

  /** Asks at the terminal, if there is one. */
  Confirmation() {
    this(Terminal.present() ? Optional.of(Confirmation::readLine) : Optional.empty());
  }

  /** @param person answers a question; empty when nobody can be asked */
  Confirmation(Optional<UnaryOperator<String>> person) {
    this.person = person;
  }

  /**
   * Returns when it may be done.
   *
   * @param question without a question mark, as in "Delete topic 'orders' with its messages"
   * @throws ParameterException when nobody can be asked
   * @throws Refused when the answer was not yes
   */
  void ask(CommandSpec spec, String question) {
    if (yes) {
      return;
    }
    if (person.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--yes is needed, there is no terminal to ask at: " + question + "?");
    }
    String answer = person.get().apply(question + "? [y/N] ");
    if (answer == null || !AGREEING.contains(answer.strip().toLowerCase(Locale.ROOT))) {
      throw new Refused();
    }
  }

  /** The user does not want it. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Refused() {
      super("nothing was changed");
    }
  }

  private static String readLine(String prompt) {
    Console console = System.console();
    return console.readLine("%s", prompt);
  }
}
