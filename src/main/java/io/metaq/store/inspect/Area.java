package io.metaq.store.inspect;

/** The parts of a store that are judged one by one, in the order of a report. */
public enum Area {
  COMMIT_LOG("commit log", "records"),
  CONSUME_QUEUES("consume queues", "units"),
  KEY_INDEX("key index", "entries"),
  PROGRESS_FILES("progress files", "files"),
  CHECKPOINT("checkpoint", "files");

  private final String words;
  private final String items;

  Area(String words, String items) {
    this.words = words;
    this.items = items;
  }

  /** As people call it. */
  public String words() {
    return words;
  }

  /** What it is made of, in the plural. */
  public String items() {
    return items;
  }
}
