package io.metaq.coordinator;

/** A file under {@code config/} cannot be used; the message is one sentence for whoever starts the broker. */
public final class ConfigFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConfigFileException(String sentence) {
    super(sentence);
  }

  ConfigFileException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
