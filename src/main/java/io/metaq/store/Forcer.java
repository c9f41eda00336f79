package io.metaq.store;

import java.io.IOException;

/** The way to the disk, replaceable in tests. */
interface Forcer {
  /** Returns when everything written to {@code [from, to)} of the log, a part of {@code segment}, is on the disk. */
  void force(Segment segment, long from, long to) throws IOException;

  /** Through the mapping: of the range alone, in slices, and not disturbed by interrupts. */
  Forcer MAPPING = (segment, from, to) -> segment.file().forceMapping(segment.place(from), segment.place(to));

  /** Through the channel, the faster way to the disk, of everything in the file. */
  Forcer CHANNEL = (segment, from, to) -> segment.file().forceChannel();

  static Forcer of(FlushMode mode) {
    return mode == FlushMode.SYNC_FLUSH ? CHANNEL : MAPPING;
  }
}
