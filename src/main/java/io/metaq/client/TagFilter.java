package io.metaq.client;

import java.util.Set;

/** The client's half of a tag filter: brokers compare hashes and let collisions through, here the tags themselves are compared. */
final class TagFilter {
  private TagFilter() {}

  static boolean admits(io.metaq.model.Subscription filter, Message message) {
    Set<String> tags = filter.tags();
    return tags.isEmpty() || message.tag().map(tags::contains).orElse(false);
  }
}
