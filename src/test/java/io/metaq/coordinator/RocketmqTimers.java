package io.metaq.coordinator;

import io.metaq.codec.store.TimerSlot;
import io.metaq.codec.store.TimerUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads the timers' files as RocketMQ does at a start: every unit of the log is the last one of its slot until another comes, and
 * what a slot's chain leads to is delivered. RocketMQ reads the last two files so; here all of them.
 */
final class RocketmqTimers {
  private static final int SLOT_MS = 1_000;

  private final Map<Long, Long> lastBySlot = new HashMap<>();
  private final Map<Long, ByteBuffer> units = new HashMap<>();
  private long lastUnit = TimerUnit.NONE;

  RocketmqTimers(Path root, int logFileBytes) throws IOException {
    ByteBuffer wheel = ByteBuffer.wrap(Files.readAllBytes(root.resolve("timerwheel")));
    for (int at = 0; at < TimerSlot.FILE_SIZE; at += TimerSlot.SIZE) {
      if (wheel.getLong(at) > 0) {
        lastBySlot.put(wheel.getLong(at), wheel.getLong(at + TimerSlot.LAST));
      }
    }
    List<Path> files;
    try (Stream<Path> names = Files.list(root.resolve("timerlog"))) {
      files = names.sorted().toList();
    }
    for (Path file : files) {
      readUnits(Long.parseLong(file.getFileName().toString()), ByteBuffer.wrap(Files.readAllBytes(file)), logFileBytes);
    }
  }

  private void readUnits(long fileStart, ByteBuffer bytes, int fileBytes) {
    for (int at = 0; at + TimerUnit.MARKER_SIZE <= fileBytes; at += TimerUnit.SIZE) {
      int flags = bytes.getInt(at + TimerUnit.FLAGS);
      if (flags == TimerUnit.MARKER || bytes.getInt(at) != TimerUnit.SIZE) {
        return;
      }
      long place = fileStart + at;
      ByteBuffer unit = bytes.slice(at, TimerUnit.SIZE);
      units.put(place, unit);
      lastBySlot.put((unit.getLong(TimerUnit.WRITE_TIME) + unit.getInt(TimerUnit.DELAY)) / SLOT_MS, place);
      lastUnit = place;
    }
  }

  /** Log positions of the records that it would deliver, or store anew, of slots from a moment on. */
  List<Long> recordsFrom(long readTimeMs) {
    List<Long> records = new ArrayList<>();
    lastBySlot.forEach((step, last) -> {
      long at = step >= readTimeMs / SLOT_MS ? last : TimerUnit.NONE;
      while (at != TimerUnit.NONE) {
        records.add(units.get(at).getLong(TimerUnit.PHY_OFFSET));
        at = units.get(at).getLong(TimerUnit.PREVIOUS);
      }
    });
    return records;
  }

  /** Log position of the record behind which it would go on with the queue. */
  long lastRecord() {
    return units.get(lastUnit).getLong(TimerUnit.PHY_OFFSET);
  }
}
