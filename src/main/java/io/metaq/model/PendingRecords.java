package io.metaq.model;

import java.nio.ByteBuffer;

/**
 * Encoded records on their way to the commit log, with columns for what became of them. The writer patches the queue offset, physical
 * offset and store time of each record in {@link #bytes()} and fills the columns.
 *
 * <p>Records lie back to back: record {@code i} is {@code [start(i), start(i) + size(i))}, and {@code start(i + 1) == start(i) +
 * size(i)}. Neighbours that belong to one producer batch (code 320) form a <em>unit</em>: they are stored all or none, in one file, at
 * consecutive offsets; {@link #unitEnd(int)} tells the unit.
 */
public interface PendingRecords {
  /** How many records. */
  int count();

  /** The bytes, a direct buffer addressed absolutely; its position and limit mean nothing. */
  ByteBuffer bytes();

  /** Place of record {@code index} in {@link #bytes()}. */
  int start(int index);

  /** Bytes of record {@code index}. */
  int size(int index);

  /** Queue of record {@code index}. */
  QueueHandle queue(int index);

  /** Index after the last record of the unit that begins with {@code index}; {@code index + 1} for a single message. */
  int unitEnd(int index);

  /** Called by the writer: record {@code index} begins at {@code phyOffset} and has {@code queueOffset}. */
  void stored(int index, long phyOffset, long queueOffset);

  /** Called by the writer: record {@code index} was not stored. {@code detail} is for the producer. */
  void refused(int index, AppendStatus status, String detail);
}
