package io.metaq.store.inspect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.metaq.codec.store.QueueEndsText;
import io.metaq.model.OwnedBy;
import io.metaq.store.DiskFault;
import io.metaq.store.inspect.Finding.Severity;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;

/** Checks that the files in the folder {@code config} can be read as a start does, each with the generation before it. */
@OwnedBy("whoever inspects")
final class ProgressFilesInspector {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();
  private static final String ENDING = ".json";
  private static final String BACKUP = ".bak";

  private final Path folder;
  private final String queueEnds;
  private final boolean cleanExit;
  private final ProgressFormats formats;
  private final Findings findings;
  private long files;

  ProgressFilesInspector(StoreState state, ProgressFormats formats, Findings findings) {
    this.folder = state.options().queueEndsFile().getParent();
    this.queueEnds = state.options().queueEndsFile().getFileName().toString();
    this.formats = formats;
    this.cleanExit = state.cleanExit();
    this.findings = findings;
  }

  void inspect() throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    if (!Files.isDirectory(folder)) {
      findings.damage(Area.PROGRESS_FILES, folder, Finding.WHOLE_FILE, "is no folder", "refuses to start");
      return;
    }
    TreeSet<String> names = new TreeSet<>();
    for (Path path : Folders.children(folder)) {
      String name = path.getFileName().toString();
      if (name.endsWith(ENDING) || name.endsWith(ENDING + BACKUP)) {
        names.add(name.substring(0, name.lastIndexOf(ENDING) + ENDING.length()));
      }
    }
    for (String name : names) {
      generations(folder.resolve(name), folder.resolve(name + BACKUP));
    }
  }

  /** Files that were read. */
  long files() {
    return files;
  }

  private void generations(Path current, Path before) throws IOException {
    boolean hasBefore = Files.exists(before);
    String faultBefore = hasBefore ? faultOf(before) : "";
    String recovery = !hasBefore ? "has no generation before it to go on with"
        : faultBefore.isEmpty() ? "goes on with " + before.getFileName() : "cannot read " + before.getFileName() + " either";
    if (!Files.exists(current)) {
      // A file is missing for a moment while it is replaced; a kill may have hit that moment.
      findings.add(Area.PROGRESS_FILES, cleanExit ? Severity.DAMAGE : Severity.REMARK, current, Finding.WHOLE_FILE,
          "is missing, but " + before.getFileName() + " is there", recovery);
    } else {
      String fault = faultOf(current);
      if (!fault.isEmpty()) {
        findings.damage(Area.PROGRESS_FILES, current, Finding.WHOLE_FILE, fault, recovery);
      }
    }
    if (!faultBefore.isEmpty()) {
      findings.damage(Area.PROGRESS_FILES, before, Finding.WHOLE_FILE, faultBefore,
          "does not need it while " + current.getFileName() + " can be read");
    }
  }

  /** What is wrong with a file, a clause; empty when a start can read it. That it may not be read says nothing about it. */
  private String faultOf(Path path) throws IOException {
    files++;
    if (!Files.isRegularFile(path)) {
      return "is no file";
    }
    try {
      byte[] content = Files.readAllBytes(path);
      String fault = faultOf(content);
      return fault.isEmpty() ? faultOf(nameOf(path), content) : fault;
    } catch (AccessDeniedException denied) {
      throw denied;
    } catch (IOException unreadable) {
      return "cannot be read: " + DiskFault.reasonOf(unreadable);
    }
  }

  /** What keeps a content from being one whole object. */
  private static String faultOf(byte[] content) throws IOException {
    try (JsonParser json = JSON.createParser(content)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return "does not begin with an object";
      }
      json.skipChildren();
      if (json.currentToken() != JsonToken.END_OBJECT) {
        return "ends in the middle of its object";
      }
      return json.nextToken() == null ? "" : "goes on behind its object";
    }
  }

  /** What keeps an object from being what the file's reader expects; a file that nobody knows may hold any. */
  private String faultOf(String name, byte[] content) throws IOException {
    if (name.equals(queueEnds)) {
      QueueEndsText.decode(content);
      return "";
    }
    return formats.faultOf(name, content).map(fault -> "cannot be read: " + fault).orElse("");
  }

  /** The name both generations share. */
  private static String nameOf(Path path) {
    String name = path.getFileName().toString();
    return name.endsWith(BACKUP) ? name.substring(0, name.length() - BACKUP.length()) : name;
  }
}
