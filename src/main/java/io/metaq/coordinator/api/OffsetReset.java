package io.metaq.coordinator.api;

import java.util.Map;

/**
 * A group was moved to other offsets of a topic; told to OffsetCoordinatorVerticle, and by it to every loop. From then on a reader
 * that comes with another offset is sent to the new one, and what it commits before counts for nothing.
 *
 * @param offsets next offset to consume by queue
 * @param online whether members of the group are connected: then also one that comes with the new offset is sent to it, so that it
 *     drops what it has fetched before
 */
public record OffsetReset(String group, String topic, Map<Integer, Long> offsets, boolean online) {
  public OffsetReset {
    offsets = Map.copyOf(offsets);
  }
}
