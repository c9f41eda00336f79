package io.metaq.store.inspect;

/**
 * A unit as it stands in a file of a consume queue.
 *
 * @param storeTimestamp of the record it points to, ms; 0 when no sound record stands there
 */
public record DumpedUnit(
    String topic, int queueId, long queueOffset, long phyOffset, int size, long tagsCode, long storeTimestamp) {}
