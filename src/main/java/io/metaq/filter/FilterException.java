package io.metaq.filter;

/** An expression that is no filter. The message is one sentence for whoever wrote it, with the place and the reason. */
public final class FilterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int position;

  FilterException(int position, String reason) {
    // Without a stack trace: the text is at fault, not the code, and anybody can send any number of such texts.
    super("SQL92 filter, character " + position + ": " + reason, null, false, false);
    this.position = position;
  }

  /** The character at fault, counted from 1; one behind the last when the expression ends too early. */
  public int position() {
    return position;
  }
}
