package io.metaq.store.inspect;

import io.metaq.codec.store.QueueEndsText.Range;
import io.metaq.model.OwnedBy;
import io.metaq.store.FileNames;
import io.metaq.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Checks the folders and files of all consume queues, and by {@link UnitInspector} what is in them. Comes after the log. */
@OwnedBy("whoever inspects")
final class QueueInspector {
  private static final String MADE_AGAIN = "moves the queue to the folder damaged and makes it again from the log";
  private static final String LEFT_ALONE = "leaves it alone";

  private final StoreState state;
  private final Findings findings;
  private final InspectionProgress progress;
  private final UnitInspector units;
  private final int fileSize;
  private long files;

  QueueInspector(StoreState state, Findings findings, InspectionProgress progress) {
    this.state = state;
    this.findings = findings;
    this.progress = progress;
    this.units = new UnitInspector(state, findings);
    this.fileSize = state.options().queueFileSize();
  }

  /** The files of one queue that can be read, in order. */
  record Queue(String topic, int queueId, Path folder, List<Long> starts) {}

  void inspect() throws IOException {
    StoreOptions options = state.options();
    Path folder = options.consumeQueues();
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      findings.damage(Area.CONSUME_QUEUES, folder, Finding.WHOLE_FILE, "is no folder", "refuses to start");
      return;
    }
    List<Queue> queues = Files.exists(folder) ? find(folder) : List.of();
    Set<String> found = new HashSet<>();
    for (int i = 0; i < queues.size(); i++) {
      Queue queue = queues.get(i);
      found.add(queue.topic() + "/" + queue.queueId());
      units.inspect(queue);
      progress.reached(Area.CONSUME_QUEUES, i + 1L, queues.size());
    }
    findMissing(folder, found);
  }

  long files() {
    return files;
  }

  long units() {
    return units.checked();
  }

  private List<Queue> find(Path folder) throws IOException {
    List<Queue> queues = new ArrayList<>();
    for (Path topic : Folders.children(folder)) {
      if (!Files.isDirectory(topic)) {
        foreign(topic);
        continue;
      }
      for (Path queue : Folders.children(topic)) {
        if (Files.isDirectory(queue) && queue.getFileName().toString().matches("\\d{1,9}")) {
          queues.add(open(topic.getFileName().toString(), Integer.parseInt(queue.getFileName().toString()), queue));
        } else {
          foreign(queue);
        }
      }
    }
    return queues;
  }

  private Queue open(String topic, int queueId, Path folder) throws IOException {
    List<Long> starts = new ArrayList<>();
    for (Path path : Folders.children(folder)) {
      OptionalLong start = FileNames.startOf(path.getFileName().toString());
      if (start.isEmpty()) {
        foreign(path);
      } else if (!Files.isRegularFile(path)) {
        findings.damage(Area.CONSUME_QUEUES, path, Finding.WHOLE_FILE, "is no file", "leaves it alone; the queue is made again");
      } else {
        checkFile(path, start.getAsLong(), starts);
        starts.add(start.getAsLong());
        files++;
      }
    }
    return new Queue(topic, queueId, folder, starts);
  }

  private void checkFile(Path path, long start, List<Long> before) throws IOException {
    long expected = before.isEmpty() ? start : before.get(before.size() - 1) + fileSize;
    if (start % fileSize != 0 || start != expected) {
      findings.damage(Area.CONSUME_QUEUES, path, Finding.WHOLE_FILE,
          "is not where the file before ends, at " + expected, MADE_AGAIN);
    } else if (Files.size(path) != fileSize) {
      findings.damage(Area.CONSUME_QUEUES, path, Finding.WHOLE_FILE,
          "has " + Files.size(path) + " bytes, but mappedFileSizeConsumeQueue is " + fileSize, MADE_AGAIN);
    }
  }

  private void foreign(Path path) {
    findings.remark(Area.CONSUME_QUEUES, path, Finding.WHOLE_FILE, "does not belong to the store", LEFT_ALONE);
  }

  /** A queue whose messages are in the log has a folder, unless its topic was deleted. */
  private void findMissing(Path folder, Set<String> found) {
    state.tallies().forEach((topic, byId) -> byId.forEach((queueId, tally) -> {
      if (!found.contains(topic + "/" + queueId)) {
        missing(folder.resolve(topic).resolve(Integer.toString(queueId)), topic, queueId);
      }
    }));
  }

  private void missing(Path path, String topic, int queueId) {
    Range noted = state.noted().map(ends -> ends.queues().getOrDefault(topic, Map.of()).get(queueId)).orElse(null);
    if (noted != null && !noted.isEmpty()) {
      findings.damage(Area.CONSUME_QUEUES, path, Finding.WHOLE_FILE, "is missing", "makes the queue again from the log");
    } else {
      findings.remark(Area.CONSUME_QUEUES, path, Finding.WHOLE_FILE, "is missing, though the log has messages of the queue",
          noted == null ? "derives it when the log is not yet derived that far" : "leaves it so, the queue was deleted");
    }
  }
}
