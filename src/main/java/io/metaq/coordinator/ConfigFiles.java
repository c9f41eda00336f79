package io.metaq.coordinator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import io.metaq.model.Clock;
import io.metaq.store.Disk;
import io.metaq.store.DiskFault;
import io.metaq.store.DurableFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder {@code config/}. Blocking; for one thread. Every file has up to three generations: the current one, the one before, and one
 * that is being written ({@link DurableFile}). Wherever a save is cut off, the current generation is whole.
 */
final class ConfigFiles {
  private static final Logger log = LoggerFactory.getLogger(ConfigFiles.class);

  private final Path folder;
  private final Disk disk;
  private final Clock clock;

  ConfigFiles(Path folder, Disk disk, Clock clock) {
    this.folder = folder;
    this.disk = disk;
    this.clock = clock;
  }

  /**
   * Reads the newest whole generation; empty when no generation exists. What cannot be read is renamed aside, never deleted nor
   * written over. This also clears the way for {@link #save}, so it comes first.
   *
   * @throws ConfigFileException when there are files, but none that can be read; or when access to one is denied: that is no damage
   */
  <T> Optional<T> load(ConfigFormat<T> format) {
    Path current = folder.resolve(format.fileName());
    Path written = DurableFile.nextOf(current);
    Path previous = DurableFile.backupOf(current);
    Generation<T> main = read(format, current);
    Generation<T> backup = read(format, previous);
    putAsideUnlessFile(written);
    if (main.content.isPresent()) {
      if (backup.fault.isPresent()) {
        log.error("the generation before of a config file is damaged, it is put aside file={} fault={}", previous, backup.fault.get());
        putAside(previous);
      }
      return main.content;
    }
    if (main.fault.isEmpty()) {
      Generation<T> unrenamed = read(format, written);
      if (unrenamed.content.isPresent()) {
        log.warn("a config file was being replaced when the process ended; its new content is used file={}", current);
        move(written, current);
        return unrenamed.content;
      }
    }
    if (backup.content.isPresent()) {
      log.error("a config file is missing or damaged; going on with the generation before, what was changed last may be lost"
          + " file={} fault={} used={}", current, main.fault.orElse("it is missing"), previous);
      if (main.fault.isPresent()) {
        putAside(current);
      }
      return backup.content;
    }
    if (main.fault.isPresent() || backup.fault.isPresent()) {
      throw new ConfigFileException(unreadable(current, main, previous, backup));
    }
    return Optional.empty();
  }

  /**
   * Replaces the file; the new content is on disk when this returns.
   *
   * @throws IOException when it could not be written; the current generation is then still in place
   */
  <T> void save(ConfigFormat<T> format, T content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = ConfigJson.FACTORY.createGenerator(bytes)) {
      json.setPrettyPrinter(tabs());
      format.write(content, json);
    }
    DurableFile.replace(disk, folder.resolve(format.fileName()), bytes.toByteArray());
  }

  private <T> Generation<T> read(ConfigFormat<T> format, Path file) {
    if (isNoFile(file)) {
      return Generation.damaged("it is no file but a folder, or a link that leads nowhere");
    }
    try (InputStream in = disk.read(file);
        JsonParser json = ConfigJson.FACTORY.createParser(in)) {
      return new Generation<>(Optional.of(ConfigJson.read(format, json)), Optional.empty());
    } catch (NoSuchFileException missing) {
      return new Generation<>(Optional.empty(), Optional.empty());
    } catch (AccessDeniedException denied) {
      throw new ConfigFileException(
          "A config file cannot be read: " + DiskFault.reasonOf(denied) + "; give that user the right to read it and start again.", denied);
    } catch (IOException | IllegalArgumentException fault) {
      return Generation.damaged(firstLine(fault));
    }
  }

  private static boolean isNoFile(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(path);
  }

  /** Of a file that is being written, half is no damage: it is read only where the process ended between the two renames. */
  private void putAsideUnlessFile(Path written) {
    if (isNoFile(written)) {
      log.error("a folder or a dead link stands where a config file is to be written, it is put aside file={}", written);
      putAside(written);
    }
  }

  private void putAside(Path file) {
    move(file, file.resolveSibling(file.getFileName() + ".damaged-" + clock.millis()));
  }

  static String firstLine(Exception fault) {
    String text = fault instanceof FileSystemException || fault.getMessage() == null ? fault.toString() : fault.getMessage();
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  private static String unreadable(Path current, Generation<?> main, Path previous, Generation<?> backup) {
    return "No readable generation of " + current + " is left (" + current.getFileName() + ": " + main.state() + "; "
        + previous.getFileName() + ": " + backup.state()
        + "); restore one from a copy, or move both away to start with an empty table.";
  }

  private void move(Path from, Path to) {
    try {
      disk.move(from, to);
      disk.forceNames(folder);
    } catch (IOException fault) {
      throw new ConfigFileException("Cannot rename " + from + " to " + to.getFileName() + ": " + firstLine(fault) + ".", fault);
    }
  }

  private static DefaultPrettyPrinter tabs() {
    DefaultIndenter lines = new DefaultIndenter("\t", "\n");
    Separators separators =
        Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.NONE).withObjectEmptySeparator("");
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter(separators);
    printer.indentObjectsWith(lines);
    printer.indentArraysWith(lines);
    return printer;
  }

  /** One file as found: its content, or what is wrong with it, or neither when there is none. */
  private record Generation<T>(Optional<T> content, Optional<String> fault) {
    static <T> Generation<T> damaged(String fault) {
      return new Generation<>(Optional.empty(), Optional.of(fault));
    }

    String state() {
      return fault.orElse("missing");
    }
  }
}
