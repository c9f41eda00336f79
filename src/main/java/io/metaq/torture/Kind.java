package io.metaq.torture;

/** What is done to a broker, or to its store. */
public enum Kind {
  /** The process is killed while many messages are on their way. */
  KILL("kill -9"),
  /** The power of a simulated disk is cut: only what was forced is sure. */
  POWER_CUT("power cut"),
  /** After a kill, files are torn: derived ones anywhere, the log behind its last acknowledged record. */
  TORN_FILES("torn files");

  private final String words;

  Kind(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }
}
