package io.metaq.cli;

/** A command whose usual arguments can be read without picocli, see {@link PlainArguments}. */
interface ServerCommand extends Runnable {
  /**
   * Takes an option as picocli would set it.
   *
   * @return whether it has an option of that name, and can take that value
   */
  boolean take(String option, String value);
}
