package io.metaq.store.inspect;

import io.metaq.codec.record.StoredMessage;
import java.nio.file.Path;

/** Takes what a dump finds, in the order of the files. */
public interface DumpSink {
  /** A record whose checksum is right; returns whether more is wanted. */
  boolean record(StoredMessage message);

  /** A unit of a consume queue that is in use; returns whether more is wanted. */
  boolean unit(DumpedUnit unit);

  /** A place at which something else stands than belongs there; the dump goes on behind it. */
  void damage(Path file, long place, String what);
}
