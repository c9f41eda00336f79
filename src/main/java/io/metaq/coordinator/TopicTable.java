package io.metaq.coordinator;

import io.metaq.coordinator.CoordinatorOptions.TopicRules;
import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.coordinator.api.TopicsProxy.Create;
import io.metaq.coordinator.api.TopicsProxy.FromTemplate;
import io.metaq.coordinator.api.TopicsProxy.Plain;
import io.metaq.coordinator.api.TopicsProxy.Update;
import io.metaq.model.Clock;
import io.metaq.model.DataVersion;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.TopicAttributes;
import io.metaq.model.TopicConfig;
import io.metaq.model.Topics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All topics of this broker, and the rules by which new ones come to be. Every change moves the data version by one. A name that
 * breaks the rules for topic names never gets in, wherever it comes from.
 */
@OwnedBy("TopicCoordinatorVerticle")
final class TopicTable {
  private static final Logger log = LoggerFactory.getLogger(TopicTable.class);

  private static final long WARNING_INTERVAL_MS = 10_000;

  private final TopicRules rules;
  private final Clock clock;
  private final Map<String, TopicConfig> topics = new TreeMap<>();
  private Map<String, String> others;
  private final RepeatedWarning refused;
  private DataVersion version;

  /** The table as its file has it; a file that does not exist yet is an empty table. */
  TopicTable(TopicRules rules, Clock clock, Optional<TopicsFile> stored) {
    this.rules = rules;
    this.clock = clock;
    refused = new RepeatedWarning(clock, WARNING_INTERVAL_MS);
    version = stored.map(TopicsFile::version).orElse(DataVersion.INITIAL);
    others = stored.map(TopicsFile::others).orElse(Map.of());
    for (TopicConfig topic : stored.map(TopicsFile::topics).orElse(List.of())) {
      putIfWellNamed(topic);
    }
  }

  /**
   * Adds the system topics that are missing; those that exist stay as they are.
   *
   * @return whether any was
   */
  boolean addSystemTopics() {
    boolean added = false;
    for (TopicConfig topic : SystemTopics.of(rules)) {
      added |= !topics.containsKey(topic.name()) && putIfWellNamed(topic);
    }
    if (added) {
      version = version.next(clock.millis());
    }
    return added;
  }

  Optional<TopicConfig> find(String topic) {
    return Optional.ofNullable(topics.get(topic));
  }

  /** Makes the topic that is wished for, which must not exist; empty when the rules do not permit it. */
  Optional<TopicConfig> create(Create wish) {
    Optional<TopicConfig> made =
        wish instanceof FromTemplate fromTemplate ? copyOfTemplate(fromTemplate) : wellNamed(((Plain) wish).config());
    made.ifPresent(topic -> {
      topics.put(topic.name(), topic);
      version = version.next(clock.millis());
    });
    return made;
  }

  /**
   * Makes a topic or changes it.
   *
   * @return whether it is different now
   * @throws IllegalArgumentException a sentence: why it cannot be as wished
   */
  boolean update(Update wish) {
    String name = wish.config().name();
    String fault = Topics.topicFault(name);
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
    TopicConfig before = topics.get(name);
    TopicConfig wished = wish.config();
    Map<String, String> attributes =
        TopicAttributes.changed(before == null ? Map.of() : before.attributes(), before == null, wish.attributeChanges());
    TopicConfig after = new TopicConfig(name, wished.readQueues(), wished.writeQueues(), wished.perm(), wished.filterType(),
        wished.sysFlag(), wished.order(), attributes);
    if (after.equals(before)) {
      return false;
    }
    topics.put(name, after);
    version = version.next(clock.millis());
    return true;
  }

  /** Takes a topic out; whether it was there. */
  boolean remove(String topic) {
    if (topics.remove(topic) == null) {
      return false;
    }
    version = version.next(clock.millis());
    return true;
  }

  /**
   * Becomes a copy of the master's table, the version included.
   *
   * @return whether it was different before, by its version
   */
  boolean follow(TopicsFile master) {
    if (master.version().equals(version)) {
      return false;
    }
    topics.clear();
    master.topics().forEach(this::putIfWellNamed);
    others = master.others();
    version = master.version();
    return true;
  }

  /**
   * Makes a topic that the log has messages of, or widens it to {@code queues}.
   *
   * @return what it is now, when that is different
   */
  Optional<TopicConfig> begun(String topic, int queues) {
    TopicConfig before = topics.get(topic);
    if (before != null && before.readQueues() >= queues) {
      return Optional.empty();
    }
    Optional<TopicConfig> after = wellNamed(before == null ? TopicConfig.of(topic, queues, Perm.READ_WRITE) : before.widened(queues));
    after.ifPresent(made -> {
      topics.put(topic, made);
      version = version.next(clock.millis());
    });
    return after;
  }

  /** These topics as a change of the table as it is now. */
  TopicsDelta delta(List<TopicConfig> changed) {
    return new TopicsDelta(version, changed, List.of(), false);
  }

  /** The end of a topic as a change of the table as it is now. */
  TopicsDelta removal(String topic) {
    return new TopicsDelta(version, List.of(), List.of(topic), false);
  }

  /** The whole table. */
  TopicsDelta snapshot() {
    return new TopicsDelta(version, List.copyOf(topics.values()), List.of(), true);
  }

  /** What goes to the file. */
  TopicsFile file() {
    return new TopicsFile(version, List.copyOf(topics.values()), others);
  }

  private Optional<TopicConfig> copyOfTemplate(FromTemplate wish) {
    TopicConfig template = topics.get(wish.template());
    if (template == null || !Perm.inheritable(permOf(template))) {
      if (refused.due()) {
        log.warn("a topic was not made, its template is missing or permits no copies topic={} template={} remote={} suppressed={}",
            wish.topic(), wish.template(), wish.remote(), refused.takeSuppressed());
      }
      return Optional.empty();
    }
    int queues = Math.max(1, Math.min(wish.queues(), template.writeQueues()));
    int perm = template.perm() & ~Perm.INHERIT;
    return wellNamed(new TopicConfig(wish.topic(), queues, queues, perm, template.filterType(), 0, false, Map.of()));
  }

  /** The template topic does not permit copies while automatic creation is off, even if its file entry says so. */
  private int permOf(TopicConfig template) {
    return template.name().equals(Topics.TEMPLATE) && !rules.autoCreate() ? Perm.READ_WRITE : template.perm();
  }

  private Optional<TopicConfig> wellNamed(TopicConfig topic) {
    String fault = Topics.topicFault(topic.name());
    if (fault != null && refused.due()) {
      log.warn("a topic was not made, its name is not allowed topic={} fault={} suppressed={}",
          topic.name(), fault, refused.takeSuppressed());
    }
    return fault == null ? Optional.of(topic) : Optional.empty();
  }

  private boolean putIfWellNamed(TopicConfig topic) {
    String fault = Topics.topicFault(topic.name());
    if (fault != null) {
      log.warn("a topic is left out, its name is not allowed topic={} fault={}", topic.name(), fault);
      return false;
    }
    topics.put(topic.name(), topic);
    return true;
  }
}
