package io.metaq.store.inspect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.metaq.model.OwnedBy;
import io.metaq.store.inspect.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/** Checks that the files in the folder {@code config} can be read, each with the generation before it. */
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
  private final boolean cleanExit;
  private final Findings findings;
  private long files;

  ProgressFilesInspector(StoreState state, Findings findings) {
    this.folder = state.options().queueEndsFile().getParent();
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

  private void generations(Path current, Path before) {
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

  /** What is wrong with a file, a clause; empty when it is one whole object. */
  private String faultOf(Path path) {
    files++;
    if (!Files.isRegularFile(path)) {
      return "is no file";
    }
    try (JsonParser json = JSON.createParser(Files.readAllBytes(path))) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return "does not begin with an object";
      }
      json.skipChildren();
      if (json.currentToken() != JsonToken.END_OBJECT) {
        return "ends in the middle of its object";
      }
      return json.nextToken() == null ? "" : "goes on behind its object";
    } catch (IOException unreadable) {
      List<String> lines = String.valueOf(unreadable.getMessage()).lines().toList();
      return "cannot be read: " + lines.get(0);
    }
  }
}
