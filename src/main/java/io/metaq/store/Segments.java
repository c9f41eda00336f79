package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The files of the commit log, oldest first, without a gap. Copied on write: the writer and the preparer add at the end, housekeeping
 * takes away at the front, both once for each file, by compare-and-set; everyone reads without a hop.
 */
@OwnedBy("nobody: copied on write")
final class Segments {
  private final Disk disk;
  private final Path folder;
  private final int size;
  private final AtomicReference<Segment[]> segments;

  /** The files found at start; may be none. */
  Segments(Disk disk, Path folder, int size, List<Segment> found) {
    this.disk = disk;
    this.folder = folder;
    this.size = size;
    this.segments = new AtomicReference<>(found.toArray(Segment[]::new));
  }

  int segmentSize() {
    return size;
  }

  List<Segment> all() {
    return List.of(segments.get());
  }

  /** Log position of the first byte that is still there; 0 while there is no file. */
  long first() {
    Segment[] now = segments.get();
    return now.length == 0 ? 0 : now[0].start();
  }

  /** The segment with a log position, referenced; null when it is not there (any more). The caller releases it. */
  Segment retained(long phyOffset) {
    Segment[] now = segments.get();
    if (now.length == 0 || phyOffset < now[0].start()) {
      return null;
    }
    long index = (phyOffset - now[0].start()) / size;
    if (index >= now.length) {
      return null;
    }
    Segment segment = now[(int) index];
    return segment.retain() ? segment : null;
  }

  /** What became of a record whose file is not there. */
  AnswerBuilder.Added missing(long phyOffset) {
    return phyOffset < first() ? AnswerBuilder.Added.GONE : AnswerBuilder.Added.NO_RECORD;
  }

  /**
   * The segment that begins at {@code start}, made when it does not exist yet: the one behind the last. Writer and preparer may ask at
   * the same moment; both get the same one.
   */
  Segment next(long start) throws IOException {
    while (true) {
      Segment[] now = segments.get();
      if (now.length > 0 && start <= now[now.length - 1].start()) {
        return now[(int) ((start - now[0].start()) / size)];
      }
      Segment made = Segment.open(disk, folder, start, size);
      Segment[] longer = Arrays.copyOf(now, now.length + 1);
      longer[now.length] = made;
      if (segments.compareAndSet(now, longer)) {
        return made;
      }
      made.release();
    }
  }

  /** Takes the oldest segments away that end at or before {@code phyOffset}, never the last; returns them to be retired. */
  List<Segment> removeBelow(long phyOffset) {
    while (true) {
      Segment[] now = segments.get();
      int gone = 0;
      while (gone < now.length - 1 && now[gone].end() <= phyOffset) {
        gone++;
      }
      if (gone == 0) {
        return List.of();
      }
      if (segments.compareAndSet(now, Arrays.copyOfRange(now, gone, now.length))) {
        return new ArrayList<>(Arrays.asList(now).subList(0, gone));
      }
    }
  }

  /** Lets go of all segments. */
  void close() {
    for (Segment segment : segments.getAndSet(new Segment[0])) {
      segment.release();
    }
  }
}
