package io.metaq.broker;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import io.metaq.store.Disk;
import io.metaq.store.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which {@link DayTotals} outlive the process; figures for people, so what cannot be read or written is told and done
 * without. Blocks: for workers.
 */
public final class FiguresFile {
  private static final Logger log = LoggerFactory.getLogger(FiguresFile.class);

  private final Path path;

  public FiguresFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  /** What the process before left; empty when there was none. */
  Optional<DayTotals> read() {
    try {
      return Optional.of(RegistryJson.read("file of figures", Files.readAllBytes(path), FiguresFile::totals));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException | BodyException | DateTimeParseException unreadable) {
      log.warn("the totals of days cannot be read and begin anew file={} cause={}", path, unreadable.getMessage());
      return Optional.empty();
    }
  }

  void write(DayTotals totals) {
    try {
      DurableFile.replace(Disk.real(), path, encode(totals));
    } catch (IOException failure) {
      log.warn("the totals of days cannot be written file={} cause={}", path, failure.toString());
    }
  }

  private static byte[] encode(DayTotals totals) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeStringField("day", totals.day().toString());
      count(out, "yesterdayMorning", totals.yesterdayMorning());
      count(out, "thisMorning", totals.thisMorning());
      count(out, "now", totals.now());
      out.writeEndObject();
    });
  }

  private static void count(JsonGenerator out, String name, DayTotals.Count count) throws IOException {
    out.writeObjectFieldStart(name);
    out.writeNumberField("stored", count.stored());
    out.writeNumberField("read", count.read());
    out.writeEndObject();
  }

  private static DayTotals totals(JsonParser in) throws IOException {
    String[] day = {""};
    DayTotals.Count[] counts = {DayTotals.Count.NONE, DayTotals.Count.NONE, DayTotals.Count.NONE};
    RegistryJson.object(in, name -> {
      switch (name) {
        case "day" -> day[0] = String.valueOf(RegistryJson.text(in));
        case "yesterdayMorning" -> counts[0] = count(in);
        case "thisMorning" -> counts[1] = count(in);
        case "now" -> counts[2] = count(in);
        default -> { }
      }
    });
    return new DayTotals(LocalDate.parse(day[0]), counts[0], counts[1], counts[2]);
  }

  private static DayTotals.Count count(JsonParser in) throws IOException {
    long[] numbers = new long[2];
    RegistryJson.object(in, name -> {
      switch (name) {
        case "stored" -> numbers[0] = RegistryJson.number(in);
        case "read" -> numbers[1] = RegistryJson.number(in);
        default -> { }
      }
    });
    return new DayTotals.Count(numbers[0], numbers[1]);
  }
}
