package io.metaq.client;

import java.util.List;

/**
 * A consumer group.
 *
 * @param system whether it is a broker's own, or a tool's
 * @param members connected now
 * @param lag messages it has still to consume, over all its topics
 * @param topics it has progress in, but for retries and dead letters
 */
public record GroupSummary(String group, boolean system, int members, long lag, List<String> topics) {
  public GroupSummary {
    topics = List.copyOf(topics);
  }
}
