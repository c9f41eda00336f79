package io.metaq.broker;

import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.model.OwnedBy;
import io.metaq.model.TopicConfig;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One loop's copy of the topic table, kept true by deltas; found by name, or by the name's bytes without making a string. */
@OwnedBy("its event loop")
final class LoopTopics {
  private final Map<String, TopicEntry> byName = new HashMap<>();

  /** Open addressing by the hash of the name's bytes; its length is a power of two, at most half full. */
  private TopicEntry[] byBytes = new TopicEntry[64];

  void apply(TopicsDelta delta) {
    int before = byName.size();
    if (delta.complete()) {
      Set<String> gone = new HashSet<>(byName.keySet());
      delta.changed().forEach(topic -> gone.remove(topic.name()));
      gone.forEach(byName::remove);
    }
    delta.removed().forEach(byName::remove);
    if (byName.size() < before) {
      index(byBytes.length);
    }
    for (TopicConfig topic : delta.changed()) {
      TopicEntry known = byName.get(topic.name());
      if (known == null) {
        add(new TopicEntry(topic));
      } else {
        known.update(topic);
      }
    }
  }

  Optional<TopicEntry> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The topic whose name is these bytes, null when unknown: the lookup of every send. */
  TopicEntry find(byte[] text, int from, int length) {
    int mask = byBytes.length - 1;
    for (int at = hash(text, from, length) & mask; byBytes[at] != null; at = (at + 1) & mask) {
      byte[] name = byBytes[at].nameBytes();
      if (Arrays.equals(name, 0, name.length, text, from, from + length)) {
        return byBytes[at];
      }
    }
    return null;
  }

  /** Takes a new topic in; what it costs does not depend on how many there are, for thousands may be made one by one. */
  private void add(TopicEntry topic) {
    byName.put(topic.name(), topic);
    if (byName.size() * 2 > byBytes.length) {
      index(byBytes.length * 2);
    } else {
      insert(topic);
    }
  }

  private void index(int length) {
    byBytes = new TopicEntry[length];
    byName.values().forEach(this::insert);
  }

  private void insert(TopicEntry topic) {
    byte[] name = topic.nameBytes();
    int mask = byBytes.length - 1;
    int at = hash(name, 0, name.length) & mask;
    while (byBytes[at] != null) {
      at = (at + 1) & mask;
    }
    byBytes[at] = topic;
  }

  private static int hash(byte[] text, int from, int length) {
    int hash = 0;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + text[i];
    }
    return hash ^ hash >>> 16;
  }
}
