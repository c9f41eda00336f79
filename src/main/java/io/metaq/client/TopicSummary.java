package io.metaq.client;

import java.util.List;

/**
 * A topic and where it is.
 *
 * @param brokers names of the brokers that have it, sorted
 * @param readQueues of all brokers together
 * @param writeQueues of all brokers together
 * @param readable whether it may be read at any broker
 * @param writable whether it may be sent to at any broker
 * @param missing brokers that told nothing: all of the above is without what they have
 */
public record TopicSummary(
    String topic, Kind kind, List<String> brokers, int readQueues, int writeQueues, boolean readable, boolean writable,
    List<MissingBroker> missing) {
  /** Whose topic it is. */
  public enum Kind {
    /** An application's. */
    NORMAL,
    /** A group's messages that it tries again. */
    RETRY,
    /** A group's messages that it could not handle. */
    DEAD_LETTER,
    /** A broker's own. */
    SYSTEM
  }

  public TopicSummary {
    brokers = List.copyOf(brokers);
    missing = List.copyOf(missing);
  }
}
