package io.metaq.store;

/** The store cannot be opened or cannot go on. The message is one plain sentence for whoever runs the broker. */
public final class StoreException extends RuntimeException {
  public StoreException(String sentence) {
    super(sentence);
  }

  public StoreException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
