package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.coordinator.LocalCommits.Place;
import io.metaq.coordinator.api.GroupPlace;
import io.metaq.model.DataVersion;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Content of {@code consumerOffset.json}. Given away by whoever makes it.
 *
 * @param progress group, topic, queue id, next queue offset to consume
 * @param moves group, topic, queue id, {@link GroupPlace#movedMs}; where it is missing, nobody moved the group while it popped. A
 *     field of ours ({@code metaqMoveTable}), which RocketMQ passes over
 * @param holds group, topic, queue id, queue offset beyond which progress may not get, see {@link HeldOffsets}; a field of
 *     ours, too ({@code metaqHoldTable})
 * @param others top-level fields this project has no use for ({@code pullOffsetTable}), as JSON text; kept so that a RocketMQ
 *     broker finds them again
 */
record OffsetsFile(
    DataVersion version,
    Map<String, Map<String, Map<Integer, Long>>> progress,
    Map<String, Map<String, Map<Integer, Long>>> moves,
    Map<String, Map<String, Map<Integer, Long>>> holds,
    Map<String, String> others) {
  static final ConfigFormat<OffsetsFile> FORMAT = new Format();

  private static final Logger log = LoggerFactory.getLogger(OffsetsFile.class);

  /** The same, but that it says nothing of some places' progress. */
  OffsetsFile without(Set<Place> places) {
    Map<String, Map<String, Map<Integer, Long>>> left = new TreeMap<>(progress);
    for (Place place : places) {
      left.computeIfPresent(place.group(), (group, topics) -> {
        Map<String, Map<Integer, Long>> leftTopics = new TreeMap<>(topics);
        leftTopics.computeIfPresent(place.topic(), (topic, queues) -> {
          Map<Integer, Long> leftQueues = new TreeMap<>(queues);
          leftQueues.remove(place.queueId());
          return leftQueues;
        });
        return leftTopics;
      });
    }
    return new OffsetsFile(version, left, moves, holds, others);
  }

  Optional<Long> offset(String group, String topic, int queueId) {
    return Optional.ofNullable(progress.getOrDefault(group, Map.of()).getOrDefault(topic, Map.of()).get(queueId));
  }

  private static final class Format implements ConfigFormat<OffsetsFile> {
    private static final String OFFSETS = "offsetTable";
    private static final String MOVES = "metaqMoveTable";
    private static final String HOLDS = "metaqHoldTable";

    @Override
    public String fileName() {
      return "consumerOffset.json";
    }

    @Override
    public OffsetsFile read(JsonParser json) throws IOException {
      DataVersion[] version = {DataVersion.INITIAL};
      Map<String, Map<String, Map<Integer, Long>>> progress = new TreeMap<>();
      Map<String, Map<String, Map<Integer, Long>>> moves = new TreeMap<>();
      Map<String, Map<String, Map<Integer, Long>>> holds = new TreeMap<>();
      Map<String, String> others = new TreeMap<>();
      JsonFields.forEach(
          json,
          (name, value) -> {
            switch (name) {
              case "dataVersion" -> version[0] = JsonFields.version(value);
              case OFFSETS -> JsonFields.forEach(value, (key, queues) -> readQueues(key, queues, progress));
              case MOVES -> JsonFields.forEach(value, (key, queues) -> readQueues(key, queues, moves));
              case HOLDS -> JsonFields.forEach(value, (key, queues) -> readQueues(key, queues, holds));
              case "groupTopicMap" -> value.skipChildren(); // derived from the offset table
              default -> others.put(name, JsonFields.raw(value));
            }
          });
      return new OffsetsFile(version[0], progress, moves, holds, others);
    }

    /** One entry {@code "topic@group": {0:118}}; neither name can contain the sign. */
    private static void readQueues(String key, JsonParser json, Map<String, Map<String, Map<Integer, Long>>> table)
        throws IOException {
      int sign = key.indexOf('@');
      if (sign <= 0 || sign == key.length() - 1) {
        log.warn("an entry of the consumer offset file names no topic and group, it is left out key={}", key);
        json.skipChildren();
        return;
      }
      Map<Integer, Long> queues =
          table
              .computeIfAbsent(key.substring(sign + 1), group -> new TreeMap<>())
              .computeIfAbsent(key.substring(0, sign), topic -> new TreeMap<>());
      JsonFields.forEach(json, (queueId, offset) -> queues.put(JsonFields.key(queueId, offset), JsonFields.number(offset)));
    }

    @Override
    public void write(OffsetsFile content, JsonGenerator json) throws IOException {
      json.writeStartObject();
      JsonFields.versionField(content.version, json);
      writeGroupTopics(content, json);
      writeTable(OFFSETS, content.progress, json);
      if (!content.moves.isEmpty()) {
        writeTable(MOVES, content.moves, json);
      }
      if (!content.holds.isEmpty()) {
        writeTable(HOLDS, content.holds, json);
      }
      JsonFields.rawFields(content.others, json);
      json.writeEndObject();
    }

    private static void writeGroupTopics(OffsetsFile content, JsonGenerator json) throws IOException {
      json.writeObjectFieldStart("groupTopicMap");
      for (Map.Entry<String, Map<String, Map<Integer, Long>>> group : content.progress.entrySet()) {
        json.writeArrayFieldStart(group.getKey());
        for (String topic : group.getValue().keySet()) {
          json.writeString(topic);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }

    private static void writeTable(String name, Map<String, Map<String, Map<Integer, Long>>> table, JsonGenerator json)
        throws IOException {
      json.writeObjectFieldStart(name);
      for (Map.Entry<String, Map<String, Map<Integer, Long>>> group : table.entrySet()) {
        for (Map.Entry<String, Map<Integer, Long>> topic : group.getValue().entrySet()) {
          json.writeObjectFieldStart(topic.getKey() + "@" + group.getKey());
          for (Map.Entry<Integer, Long> queue : topic.getValue().entrySet()) {
            json.writeNumberField(Integer.toString(queue.getKey()), queue.getValue());
          }
          json.writeEndObject();
        }
      }
      json.writeEndObject();
    }
  }
}
