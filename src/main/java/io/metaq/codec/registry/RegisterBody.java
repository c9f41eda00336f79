package io.metaq.codec.registry;

import io.metaq.model.DataVersion;
import io.metaq.model.TopicConfig;
import java.util.List;

/**
 * What a broker says about its topics when it registers.
 *
 * @param topics the whole table, or one topic that changed
 */
public record RegisterBody(DataVersion version, List<TopicConfig> topics) {
  /** A registration without a body. */
  public static final RegisterBody EMPTY = new RegisterBody(DataVersion.INITIAL, List.of());

  public RegisterBody {
    topics = List.copyOf(topics);
  }
}
