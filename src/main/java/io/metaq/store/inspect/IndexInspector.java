package io.metaq.store.inspect;

import io.metaq.codec.record.RecordReader;
import io.metaq.codec.store.IndexLayout;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.store.inspect.Finding.Severity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the key index: header, each entry against its record, and the chains against the entries. Comes after the log. */
@OwnedBy("whoever inspects")
final class IndexInspector {
  private static final String ASIDE = "moves it and all newer ones to the folder damaged and makes them again from the log";
  private static final String UNNOTICED =
      "does not notice; move it and all newer ones away while the broker is stopped, and they are made again from the log";
  private static final String MADE_AGAIN = "makes what is missing again from the log";
  private static final String SLOTS_MADE_AGAIN = "makes the slots again from the entries";

  private final StoreState state;
  private final Findings findings;
  private final InspectionProgress progress;
  private final int slots;
  private final int entries;
  private long files;
  private long checked;
  private long endPhyOffset = -1;

  IndexInspector(StoreState state, Findings findings, InspectionProgress progress) {
    this.state = state;
    this.findings = findings;
    this.progress = progress;
    this.slots = state.options().indexSlots();
    this.entries = state.options().indexEntries();
  }

  void inspect() throws IOException {
    Path folder = state.options().index();
    if (!state.options().indexEnabled()) {
      return;
    }
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      findings.damage(Area.KEY_INDEX, folder, Finding.WHOLE_FILE, "is no folder", "leaves it alone and has no index");
      return;
    }
    List<Path> children = Files.exists(folder) ? Folders.children(folder) : List.of();
    for (int i = 0; i < children.size(); i++) {
      open(children.get(i));
      progress.reached(Area.KEY_INDEX, i + 1L, children.size());
    }
    long noted = state.noted().map(QueueEnds::indexEndPhyOffset).orElse(-1L);
    if (noted >= 0 && noted >= state.log().first() && endPhyOffset < noted) {
      findings.damage(Area.KEY_INDEX, folder, Finding.WHOLE_FILE,
          "ends with the record at " + endPhyOffset + ", but had the one at " + noted, MADE_AGAIN);
    }
  }

  long files() {
    return files;
  }

  long entries() {
    return checked;
  }

  private void open(Path path) throws IOException {
    if (!path.getFileName().toString().matches("\\d{17}")) {
      findings.remark(Area.KEY_INDEX, path, Finding.WHOLE_FILE, "does not belong to the store", "leaves it alone");
      return;
    }
    if (!Files.isRegularFile(path)) {
      findings.damage(Area.KEY_INDEX, path, Finding.WHOLE_FILE, "is no file", ASIDE);
      return;
    }
    int size = IndexLayout.fileSize(slots, entries);
    files++;
    if (Files.size(path) != size) {
      findings.damage(Area.KEY_INDEX, path, Finding.WHOLE_FILE, "has " + Files.size(path) + " bytes, with " + slots
          + " slots and " + entries + " entries (maxHashSlotNum, maxIndexNum) it would have " + size, ASIDE);
      return;
    }
    file(path, LogFile.map(path, size));
  }

  private void file(Path path, ByteBuffer bytes) {
    int next = Math.max(1, bytes.getInt(IndexLayout.NEXT_ENTRY));
    int usedSlots = bytes.getInt(IndexLayout.HASH_SLOT_COUNT);
    boolean plausible = next <= entries && usedSlots >= 0 && usedSlots < next
        && bytes.getLong(IndexLayout.BEGIN_PHY_OFFSET) <= bytes.getLong(IndexLayout.END_PHY_OFFSET)
        && bytes.getLong(IndexLayout.BEGIN_TIMESTAMP) <= bytes.getLong(IndexLayout.END_TIMESTAMP);
    if (!plausible) {
      findings.damage(Area.KEY_INDEX, path, 0, "its header cannot be true", ASIDE);
      return;
    }
    int[] heads = new int[slots];
    int used = 0;
    for (int entry = 1; entry < next; entry++) {
      int at = IndexLayout.entry(slots, entry);
      int keyHash = bytes.getInt(at + IndexLayout.KEY_HASH);
      if (keyHash < 0) {
        fault(path, at, "entry " + entry + " has the impossible key hash " + keyHash, UNNOTICED);
        continue;
      }
      int slot = keyHash % slots;
      used += heads[slot] == 0 ? 1 : 0;
      if (bytes.getInt(at + IndexLayout.PREVIOUS_ENTRY) != heads[slot]) {
        fault(path, at, "entry " + entry + " is linked to entry " + bytes.getInt(at + IndexLayout.PREVIOUS_ENTRY)
            + " instead of " + heads[slot], UNNOTICED);
      }
      heads[slot] = entry;
      target(path, at, entry, keyHash, bytes.getLong(at + IndexLayout.PHY_OFFSET));
    }
    slots(path, bytes, heads, next);
    if (used != usedSlots) {
      fault(path, IndexLayout.HASH_SLOT_COUNT, "says " + usedSlots + " slots are in use, there are " + used, UNNOTICED);
    }
    endPhyOffset = next > 1 ? bytes.getLong(IndexLayout.END_PHY_OFFSET) : endPhyOffset;
  }

  private void slots(Path path, ByteBuffer bytes, int[] heads, int next) {
    for (int slot = 0; slot < slots; slot++) {
      int head = bytes.getInt(IndexLayout.slot(slot));
      boolean newer = !state.cleanExit() && head >= next;
      if (head != heads[slot] && !newer) {
        fault(path, IndexLayout.slot(slot), "slot " + slot + " begins with entry " + head + " instead of " + heads[slot],
            UNNOTICED);
      }
    }
  }

  private void target(Path path, int at, int entry, int keyHash, long phyOffset) {
    checked++;
    if (phyOffset >= 0 && phyOffset < state.log().first() || phyOffset >= state.log().end() && !state.cleanExit()) {
      return;
    }
    Optional<RecordReader> record = phyOffset < 0 ? Optional.empty() : state.log().recordAt(phyOffset);
    if (record.isEmpty()) {
      fault(path, at, "entry " + entry + " points to " + phyOffset + ", where no sound record stands", UNNOTICED);
    } else if (keys(record.get()).stream().noneMatch(key -> IndexLayout.keyHash(key.hashCode()) == keyHash)) {
      fault(path, at, "entry " + entry + " points to the record at " + phyOffset + ", which has no such key", UNNOTICED);
    }
  }

  /** After an unclean exit a start makes the newest file's slots again, so their links prove nothing then. */
  private void fault(Path path, int at, String what, String recovery) {
    if (state.cleanExit()) {
      findings.damage(Area.KEY_INDEX, path, at, what, recovery);
    } else {
      findings.add(Area.KEY_INDEX, Severity.REMARK, path, at, what, SLOTS_MADE_AGAIN);
    }
  }

  /** What a record can be found by, each with its topic. */
  private static List<String> keys(RecordReader record) {
    Map<String, String> properties = RecordText.properties(record);
    String topic = RecordText.topic(record);
    List<String> keys = new ArrayList<>();
    keys.add(topic + "#" + properties.getOrDefault(PropertyNames.UNIQ_KEY, ""));
    for (String key : properties.getOrDefault(PropertyNames.KEYS, "").split(" ")) {
      keys.add(topic + "#" + key);
    }
    keys.add(topic + "#T#" + properties.getOrDefault(PropertyNames.TAGS, ""));
    return keys;
  }
}
