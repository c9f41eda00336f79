package io.metaq.coordinator;

import io.metaq.coordinator.api.GroupPlace;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.model.Clock;
import io.metaq.model.DataVersion;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far each group has consumed each queue. The last commit wins, also when it is lower than the one before: then somebody went
 * back on purpose, or two members fight over a queue, so it is worth a line in the log.
 */
@OwnedBy("OffsetCoordinatorVerticle")
final class OffsetTable {
  private static final Logger log = LoggerFactory.getLogger(OffsetTable.class);

  /** Commits after which the data version moves on. */
  static final int COMMITS_PER_VERSION = 500;

  private static final long WARNING_INTERVAL_MS = 10_000;

  private final Clock clock;
  private final Map<String, Map<String, Map<Integer, Long>>> progress = new HashMap<>();
  private final Map<String, Map<String, Map<Integer, Long>>> moves = new HashMap<>();
  private final Map<String, String> others;
  private final RepeatedWarning lowered;
  private final RepeatedWarning refused;
  private DataVersion version;
  private long commits;

  /** The table as its file has it; a file that does not exist yet is an empty table. */
  OffsetTable(Clock clock, Optional<OffsetsFile> stored) {
    this.clock = clock;
    lowered = new RepeatedWarning(clock, WARNING_INTERVAL_MS);
    refused = new RepeatedWarning(clock, WARNING_INTERVAL_MS);
    version = stored.map(OffsetsFile::version).orElse(DataVersion.INITIAL);
    others = stored.map(OffsetsFile::others).orElse(Map.of());
    copy(stored.map(OffsetsFile::progress).orElse(Map.of()), progress);
    copy(stored.map(OffsetsFile::moves).orElse(Map.of()), moves);
  }

  /**
   * Takes one commit in.
   *
   * @return false for a negative queue id or offset, which means nothing and is left out
   */
  boolean commit(String group, String topic, int queueId, long queueOffset) {
    if (queueId < 0 || queueOffset < 0) {
      if (refused.due()) {
        log.warn("a consumer offset makes no sense, it is left out group={} topic={} queueId={} queueOffset={} suppressed={}",
            group, topic, queueId, queueOffset, refused.takeSuppressed());
      }
      return false;
    }
    Long before = queuesOf(progress, group, topic).put(queueId, queueOffset);
    if (before != null && queueOffset < before && lowered.due()) {
      log.warn("a consumer offset goes back group={} topic={} queueId={} queueOffset={} before={} suppressed={}",
          group, topic, queueId, queueOffset, before, lowered.takeSuppressed());
    }
    if (++commits % COMMITS_PER_VERSION == 0) {
      version = version.next(clock.millis());
    }
    return true;
  }

  /**
   * Notes that the last commit for a queue moved a group that pops. There is at most one note for each queue that has progress, and
   * it goes with it.
   *
   * @return names the move: the time, or a little more when there was another one just before
   */
  long moved(String group, String topic, int queueId) {
    return queuesOf(moves, group, topic).merge(queueId, clock.millis(), (before, nowMs) -> Math.max(before + 1, nowMs));
  }

  /**
   * Takes in how far a group that pops has come. With a move that is not known it takes that over, too: a process died before it
   * was in the file.
   *
   * @return false when the group was moved since, or it makes no sense
   */
  boolean commitPopped(GroupPlace place) {
    long knownMs = movedMs(place.group(), place.topic(), place.queueId());
    if (place.movedMs() < knownMs) {
      return false;
    }
    if (place.movedMs() > knownMs) {
      queuesOf(moves, place.group(), place.topic()).put(place.queueId(), place.movedMs());
    }
    return commit(place.group(), place.topic(), place.queueId(), place.next());
  }

  private long movedMs(String group, String topic, int queueId) {
    return moves.getOrDefault(group, Map.of()).getOrDefault(topic, Map.of()).getOrDefault(queueId, 0L);
  }

  /**
   * Takes the master's progress over own, but for the queues of which {@code local} has progress that the master does not know yet.
   *
   * @return whether anything changed
   */
  boolean follow(OffsetsFile master, LocalCommits local) {
    boolean[] changed = {!master.version().equals(version)};
    version = master.version();
    master.progress().forEach((group, topics) -> topics.forEach((topic, queues) -> queues.forEach((queueId, queueOffset) -> {
      if (local.find(group, topic, queueId).isEmpty()) {
        Long before = queuesOf(progress, group, topic).put(queueId, queueOffset);
        changed[0] |= !queueOffset.equals(before);
        long movedMs = master.moves().getOrDefault(group, Map.of()).getOrDefault(topic, Map.of()).getOrDefault(queueId, 0L);
        if (movedMs != movedMs(group, topic, queueId)) {
          changed[0] = true;
          queuesOf(moves, group, topic).compute(queueId, (key, former) -> movedMs == 0 ? null : Long.valueOf(movedMs));
        }
      }
    })));
    return changed[0];
  }

  /** The next offset to consume, {@link OffsetsProxy#NONE} when none was committed. */
  long query(String group, String topic, int queueId) {
    Long queueOffset = progress.getOrDefault(group, Map.of()).getOrDefault(topic, Map.of()).get(queueId);
    return queueOffset == null ? OffsetsProxy.NONE : queueOffset;
  }

  /** All of a group's progress, by topic and queue: a copy, sorted. */
  Map<String, Map<Integer, Long>> progressOf(String group) {
    Map<String, Map<Integer, Long>> sorted = new TreeMap<>();
    progress.getOrDefault(group, Map.of()).forEach((topic, queues) -> sorted.put(topic, new TreeMap<>(queues)));
    return sorted;
  }

  /** All of a group's progress, with what is known of moves. */
  List<GroupPlace> placesOf(String group) {
    List<GroupPlace> places = new ArrayList<>();
    progress.getOrDefault(group, Map.of()).forEach((topic, queues) -> queues.forEach((queueId, next) ->
        places.add(new GroupPlace(group, topic, queueId, next, movedMs(group, topic, queueId)))));
    return places;
  }

  /** The groups that have progress in a topic, sorted. */
  List<String> groupsOf(String topic) {
    return progress.entrySet().stream().filter(group -> group.getValue().containsKey(topic)).map(Map.Entry::getKey).sorted().toList();
  }

  /** Drops all of a group's progress; whether there was any. */
  boolean forgetGroup(String group) {
    moves.remove(group);
    return nextVersion(progress.remove(group) != null);
  }

  /** Drops every group's progress in a topic; whether there was any. */
  boolean forgetTopic(String topic) {
    moves.values().forEach(topics -> topics.remove(topic));
    boolean any = false;
    for (Map<String, Map<Integer, Long>> topics : progress.values()) {
      any |= topics.remove(topic) != null;
    }
    return nextVersion(any);
  }

  private boolean nextVersion(boolean changed) {
    if (changed) {
      version = version.next(clock.millis());
    }
    return changed;
  }

  /** What goes to the file: a copy, sorted. */
  OffsetsFile file(HeldOffsets holds) {
    return new OffsetsFile(version, sorted(progress), sorted(moves), holds.byGroup(), others);
  }

  private static Map<String, Map<String, Map<Integer, Long>>> sorted(Map<String, Map<String, Map<Integer, Long>>> table) {
    Map<String, Map<String, Map<Integer, Long>>> sorted = new TreeMap<>();
    table.forEach((group, topics) -> {
      Map<String, Map<Integer, Long>> sortedTopics = new TreeMap<>();
      topics.forEach((topic, queues) -> sortedTopics.put(topic, new TreeMap<>(queues)));
      sorted.put(group, sortedTopics);
    });
    return sorted;
  }

  private static Map<Integer, Long> queuesOf(
      Map<String, Map<String, Map<Integer, Long>>> table, String group, String topic) {
    return table.computeIfAbsent(group, key -> new HashMap<>()).computeIfAbsent(topic, key -> new HashMap<>());
  }

  private static void copy(
      Map<String, Map<String, Map<Integer, Long>>> from, Map<String, Map<String, Map<Integer, Long>>> to) {
    from.forEach((group, topics) -> {
      Map<String, Map<Integer, Long>> copied = new HashMap<>();
      topics.forEach((topic, queues) -> copied.put(topic, new HashMap<>(queues)));
      to.put(group, copied);
    });
  }
}
