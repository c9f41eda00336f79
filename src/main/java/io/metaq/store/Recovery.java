package io.metaq.store;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Brings the files of a store to a state that can be gone on with. */
final class Recovery {
  private final StoreOptions options;
  private final Consumer<String> progress;

  Recovery(StoreOptions options, Consumer<String> progress) {
    this.options = options;
    this.progress = progress;
  }

  Recovered run() throws IOException {
    Files.createDirectories(options.commitLog());
    boolean clean = !Files.exists(options.root().resolve("abort"));
    List<Segment> found = new ArrayList<>();
    for (long start : starts(options.commitLog())) {
      found.add(Segment.open(options.commitLog(), start, options.logFileSize()));
    }
    long end = found.isEmpty() ? 0 : found.get(0).start();
    long timestamp = 0;
    RecordCheck check = new RecordCheck(options.checkCrcOnRecover());
    RecordReader reader = new RecordReader();
    scan:
    for (Segment segment : found) {
      progress.accept("checking " + segment.file().path());
      long at = segment.start();
      while (at < segment.end()) {
        RecordCheck.Verdict verdict = check.check(segment.bytes(), segment.place(at), options.logFileSize(), at);
        if (verdict == RecordCheck.Verdict.BLANK) {
          at = segment.end();
        } else if (verdict == RecordCheck.Verdict.RECORD) {
          timestamp = reader.wrap(segment.bytes(), segment.place(at)).storeTimestamp();
          at += check.size();
        } else {
          end = at;
          break scan;
        }
        end = at;
      }
    }
    long first = found.isEmpty() ? 0 : found.get(0).start();
    Segments segments = new Segments(options.commitLog(), options.logFileSize(), found);
    ConsumeQueues queues = new ConsumeQueues(options.consumeQueues(), options.queueFileSize());
    return new Recovered(segments, queues, new RecoveryReport(clean, first, end, timestamp, first, List.of()));
  }

  private static List<Long> starts(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> FileNames.startOf(path.getFileName().toString()))
          .filter(OptionalLong::isPresent).map(OptionalLong::getAsLong).sorted().toList();
    }
  }
}
