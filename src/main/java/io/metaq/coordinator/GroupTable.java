package io.metaq.coordinator;

import io.metaq.coordinator.CoordinatorOptions.GroupRules;
import io.metaq.model.Clock;
import io.metaq.model.DataVersion;
import io.metaq.model.GroupAttributes;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.Topics;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings of all consumer groups, whether anybody is connected or not. Every change moves the data version by one. A name that
 * breaks the rules for group names never gets in.
 */
@OwnedBy("GroupCoordinatorVerticle")
final class GroupTable {
  private static final Logger log = LoggerFactory.getLogger(GroupTable.class);

  private static final long WARNING_INTERVAL_MS = 10_000;
  private static final String SYSTEM_PREFIX = "CID_RMQ_SYS_";

  /** Groups every broker has from its start on. */
  private static final List<String> SYSTEM_GROUPS =
      List.of(
          "TOOLS_CONSUMER",
          "FILTERSRV_CONSUMER",
          "SELF_TEST_C_GROUP",
          "CID_ONS-HTTP-PROXY",
          "CID_ONSAPI_PULL",
          "CID_ONSAPI_PERMISSION",
          "CID_ONSAPI_OWNER",
          "CID_RMQ_SYS_TRANS");

  private final GroupRules rules;
  private final Clock clock;
  private final Map<String, GroupConfig> groups = new TreeMap<>();
  /** By group and topic, what is forbidden: bits of {@link Perm}. */
  private final Map<String, Map<String, Integer>> forbidden = new TreeMap<>();
  private Map<String, String> others;
  private final RepeatedWarning refused;
  private DataVersion version;

  /** The table as its file has it; a file that does not exist yet is an empty table. */
  GroupTable(GroupRules rules, Clock clock, Optional<GroupsFile> stored) {
    this.rules = rules;
    this.clock = clock;
    refused = new RepeatedWarning(clock, WARNING_INTERVAL_MS);
    version = stored.map(GroupsFile::version).orElse(DataVersion.INITIAL);
    others = stored.map(GroupsFile::others).orElse(Map.of());
    stored.map(GroupsFile::groups).orElse(List.of()).forEach(this::putIfWellNamed);
    stored.map(GroupsFile::forbidden).orElse(Map.of()).forEach((group, topics) -> forbidden.put(group, new TreeMap<>(topics)));
  }

  private void putIfWellNamed(GroupConfig group) {
    String fault = Topics.groupFault(group.name());
    if (fault == null) {
      groups.put(group.name(), group);
    } else {
      log.warn("a consumer group is left out, its name is not allowed group={} fault={}", group.name(), fault);
    }
  }

  /**
   * Becomes a copy of the master's table, the version included.
   *
   * @return whether it was different before, by its version
   */
  boolean follow(GroupsFile master) {
    if (master.version().equals(version)) {
      return false;
    }
    groups.clear();
    master.groups().forEach(this::putIfWellNamed);
    forbidden.clear();
    master.forbidden().forEach((group, topics) -> forbidden.put(group, new TreeMap<>(topics)));
    others = master.others();
    version = master.version();
    return true;
  }

  /**
   * Adds the system groups that are missing.
   *
   * @return whether any was
   */
  boolean addSystemGroups() {
    boolean added = false;
    for (String group : SYSTEM_GROUPS) {
      added |= groups.putIfAbsent(group, GroupConfig.of(group)) == null;
    }
    if (added) {
      version = version.next(clock.millis());
    }
    return added;
  }

  Optional<GroupConfig> find(String group) {
    return Optional.ofNullable(groups.get(group));
  }

  /** Makes a group that does not exist with every default; empty when the rules do not permit it. */
  Optional<GroupConfig> create(String group) {
    String fault =
        rules.autoCreate() || group.startsWith(SYSTEM_PREFIX) ? Topics.groupFault(group) : "automatic creation is switched off";
    if (fault != null) {
      if (refused.due()) {
        log.warn("a consumer group was not made group={} fault={} suppressed={}", group, fault, refused.takeSuppressed());
      }
      return Optional.empty();
    }
    GroupConfig made = GroupConfig.of(group);
    groups.put(group, made);
    version = version.next(clock.millis());
    return Optional.of(made);
  }

  /**
   * Makes a group or changes it, whether automatic creation is permitted or not.
   *
   * @param wish its attributes are changes of those it has, see {@link GroupAttributes}
   * @return whether it is different now
   * @throws IllegalArgumentException a sentence: why it cannot be as wished
   */
  boolean update(GroupConfig wish) {
    String fault = Topics.groupFault(wish.name());
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
    GroupConfig before = groups.get(wish.name());
    Map<String, String> current = before == null ? Map.of() : before.attributes();
    GroupConfig after = wish.withAttributes(GroupAttributes.changed(current, before == null, wish.attributes()));
    if (after.equals(before)) {
      return false;
    }
    groups.put(after.name(), after);
    version = version.next(clock.millis());
    return true;
  }

  /** Takes a group out; whether it was there. */
  boolean remove(String group) {
    if (groups.remove(group) == null) {
      return false;
    }
    version = version.next(clock.millis());
    return true;
  }

  /** The topics that a group may not read. */
  Set<String> forbiddenTopics(String group) {
    return forbidden.getOrDefault(group, Map.of()).entrySet().stream()
        .filter(topic -> Perm.readable(topic.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /**
   * Forbids or permits a group to read a topic; both may not exist yet.
   *
   * @return whether it is different now
   */
  boolean forbid(String group, String topic, boolean readable) {
    Map<String, Integer> topics = forbidden.computeIfAbsent(group, name -> new TreeMap<>());
    int before = topics.getOrDefault(topic, 0);
    int after = readable ? before & ~Perm.READ : before | Perm.READ;
    if (after == 0) {
      topics.remove(topic);
    } else {
      topics.put(topic, after);
    }
    if (topics.isEmpty()) {
      forbidden.remove(group);
    }
    if (after == before) {
      return false;
    }
    version = version.next(clock.millis());
    return true;
  }

  Collection<GroupConfig> all() {
    return groups.values();
  }

  /** What goes to the file. */
  GroupsFile file() {
    Map<String, Map<String, Integer>> copied = new TreeMap<>();
    forbidden.forEach((group, topics) -> copied.put(group, Map.copyOf(topics)));
    return new GroupsFile(version, List.copyOf(groups.values()), copied, others);
  }
}
