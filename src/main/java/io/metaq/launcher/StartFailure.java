package io.metaq.launcher;

/** A start that cannot succeed. The message is one plain sentence for the operator that names what to change. */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartFailure(String sentence) {
    super(sentence);
  }

  public StartFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
