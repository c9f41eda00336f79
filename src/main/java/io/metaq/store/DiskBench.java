package io.metaq.store;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Measures the ways into a log file and to the disk, with the classes the store uses: what decides whether to prepare files ahead,
 * and what a write costs the one who writes and the one who forces. The mapped ways are there to compare with: the log is not
 * written so (ADR 0039). Each row has files of its own, appended to from their start; making them is not measured.
 */
@OwnedBy("whoever runs it")
public final class DiskBench {
  /** A record with a body of 128 bytes. */
  private static final int MESSAGE = 353;
  private static final int RUN = 64;
  private static final int FILE = 32 << 20;
  private static final int PAGE = 4096;
  private static final int MOST_SAMPLES = 200_000;
  /** So many single messages are timed together: asking for the time costs as much as one of them. */
  private static final int SINGLES = 16;

  private final Path folder;
  private final Clock clock;
  private final ByteBuffer source = ByteBuffer.allocateDirect(400 << 10);

  /** @param folder an empty one; the files are taken away again */
  public DiskBench(Path folder, Clock clock) {
    this.folder = folder;
    this.clock = clock;
    while (source.hasRemaining()) {
      source.put((byte) 1);
    }
    source.clear();
  }

  /**
   * What one way costs.
   *
   * @param what the way, in words
   * @param p50Ns median in ns, of a message or of a write that is forced
   * @param p99Ns 99th percentile
   * @param maxNs the longest
   * @param samples how many were taken
   */
  public record Row(String what, long p50Ns, long p99Ns, long maxNs, int samples) {}

  /** How a file is made. */
  private enum Made {
    /** Filled with zeros that are on the disk, as under SYNC_FLUSH. */
    PREPARED_CLEAN,
    /** Filled with zeros, as under ASYNC_FLUSH. */
    PREPARED,
    SPARSE
  }

  /** Writes a piece at a log position of a file. */
  private interface Way {
    void write(Segment segment, long phyOffset, int length) throws IOException;
  }

  /** One row to be: {@code calls} pieces of {@code length} bytes are timed together, which hold {@code units} of what is told of. */
  private record Plan(String what, Made made, boolean throughAppender, int length, int calls, int units, Way way) {}

  /**
   * Measures every row.
   *
   * @param durationNs how long in all, in ns, making files not counted
   * @param interrupted ends it before the next row when true
   * @param progress hears the name of each row before it begins
   * @throws IOException when the folder cannot be written to
   */
  public List<Row> run(long durationNs, BooleanSupplier interrupted, Consumer<String> progress) throws IOException {
    List<Plan> plans = plans();
    List<Row> rows = new ArrayList<>();
    for (Plan plan : plans) {
      if (!interrupted.getAsBoolean()) {
        progress.accept(plan.what());
        rows.add(measure(plan, durationNs / plans.size()));
      }
    }
    return rows;
  }

  private List<Plan> plans() {
    List<Plan> plans = new ArrayList<>();
    plans.add(durable("4 KiB forced: positional, prepared", Made.PREPARED_CLEAN, PAGE, this::positional, Forcer.CHANNEL));
    for (int kib : new int[] {25, 400}) {
      for (Made made : new Made[] {Made.PREPARED_CLEAN, Made.SPARSE}) {
        String where = made == Made.SPARSE ? ", sparse" : ", prepared";
        plans.add(durable(kib + " KiB forced: positional" + where, made, kib << 10, this::positional, Forcer.CHANNEL));
        plans.add(durable(kib + " KiB forced: mapped" + where, made, kib << 10, this::mapped, Forcer.MAPPING));
      }
    }
    for (Made made : new Made[] {Made.PREPARED, Made.SPARSE}) {
      String where = made == Made.SPARSE ? ", sparse" : ", prepared";
      plans.add(append("a message alone: positional" + where, made, 1, this::positional));
      plans.add(append("a message alone: mapped" + where, made, 1, this::mapped));
      plans.add(append("a message of a run of 64: positional" + where, made, RUN, this::positional));
      plans.add(append("a message of a run of 64: mapped" + where, made, RUN, this::mapped));
    }
    plans.add(chosen("a message alone: as MetaQ does", 1));
    plans.add(chosen("a message of a run of 64: as MetaQ does", RUN));
    return plans;
  }

  private static Plan durable(String what, Made made, int length, Way way, Forcer forcer) {
    return new Plan(what, made, false, length, 1, 1, (segment, phyOffset, bytes) -> {
      way.write(segment, phyOffset, bytes);
      forcer.force(segment, phyOffset, phyOffset + bytes);
    });
  }

  private static Plan append(String what, Made made, int run, Way way) {
    int calls = run == 1 ? SINGLES : 1;
    return new Plan(what, made, false, run * MESSAGE, calls, calls * run, way);
  }

  private Plan chosen(String what, int run) {
    int calls = run == 1 ? SINGLES : 1;
    return new Plan(what, Made.PREPARED, true, run * MESSAGE, calls, calls * run, this::positional);
  }

  private void positional(Segment segment, long phyOffset, int length) throws IOException {
    segment.file().write(segment.place(phyOffset), source, 0, length);
  }

  private void mapped(Segment segment, long phyOffset, int length) {
    segment.bytes().put(segment.place(phyOffset), source, 0, length);
  }

  private Row measure(Plan plan, long rowNs) throws IOException {
    long[] samples = new long[MOST_SAMPLES];
    int count = 0;
    long measuredNs = 0;
    long start = 0;
    while (measuredNs < rowNs && count < MOST_SAMPLES) {
      Segment segment = make(plan.made(), start);
      try {
        Way way = plan.throughAppender() ? appender(segment) : plan.way();
        long at = start;
        while (measuredNs < rowNs && count < MOST_SAMPLES && at + (long) plan.calls() * plan.length() <= segment.end()) {
          long beginNs = clock.nanos();
          for (int call = 0; call < plan.calls(); call++) {
            way.write(segment, at, plan.length());
            at += plan.length();
          }
          long tookNs = clock.nanos() - beginNs;
          measuredNs += tookNs;
          samples[count++] = tookNs / plan.units();
        }
      } finally {
        segment.file().retire();
      }
      start += FILE;
    }
    Arrays.sort(samples, 0, count);
    return new Row(plan.what(), samples[count / 2], samples[(int) (count * 0.99)], samples[count - 1], count);
  }

  private Way appender(Segment segment) {
    PreparedRange prepared = new PreparedRange(segment.start());
    prepared.claimChunk(segment.start(), segment.end());
    prepared.chunkFilled(segment.end());
    Appender appender = new Appender(prepared);
    return (target, phyOffset, length) -> appender.write(target, phyOffset, source, 0, length);
  }

  private Segment make(Made made, long start) throws IOException {
    Segment segment = Segment.open(Disk.real(), folder, start, FILE);
    if (made != Made.SPARSE) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(Preparer.CHUNK);
      for (int at = 0; at < FILE; at += Preparer.CHUNK) {
        segment.file().write(at, zeros, 0, Preparer.CHUNK);
      }
    }
    if (made == Made.PREPARED_CLEAN) {
      segment.file().forceMapping(0, FILE);
    }
    return segment;
  }
}
