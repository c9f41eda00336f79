package io.metaq.coordinator.api;

import io.metaq.model.DataVersion;
import io.metaq.model.TopicConfig;
import java.util.List;

/**
 * Topics that changed, told to every loop and to registration.
 *
 * @param complete true when {@code changed} is the whole table: forget the rest
 */
public record TopicsDelta(DataVersion version, List<TopicConfig> changed, List<String> removed, boolean complete) {
  public TopicsDelta {
    changed = List.copyOf(changed);
    removed = List.copyOf(removed);
  }
}
