package io.metaq.cli;

/** A command that cannot do what was asked. The message is one sentence for the user. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandFailure(String sentence) {
    super(sentence);
  }
}
