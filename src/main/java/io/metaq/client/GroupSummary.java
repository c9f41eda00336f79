package io.metaq.client;

import java.util.List;

/**
 * A consumer group.
 *
 * @param system whether it is a broker's own, or a tool's
 * @param members connected now; with {@code missing}, at least so many
 * @param lag messages it has still to consume, over all its topics; with {@code missing}, at least so many
 * @param topics it has progress in, but for retries and dead letters
 * @param missing brokers that told nothing: all of the above is without what they have
 */
public record GroupSummary(String group, boolean system, int members, long lag, List<String> topics, List<MissingBroker> missing) {
  public GroupSummary {
    topics = List.copyOf(topics);
    missing = List.copyOf(missing);
  }
}
