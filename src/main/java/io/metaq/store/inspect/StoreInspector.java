package io.metaq.store.inspect;

import io.metaq.codec.store.CheckpointLayout;
import io.metaq.codec.store.CheckpointLayout.Checkpoint;
import io.metaq.codec.store.QueueEndsText;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.store.StoreOptions;
import io.metaq.store.inspect.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads a whole store and judges it. It changes nothing and takes no lock, so it may run beside a broker; what that writes
 * meanwhile is not held against the store.
 */
public final class StoreInspector {
  private final StoreOptions options;
  private final InspectionProgress progress;
  private final ProgressFormats formats;

  /** An inspection that knows nothing of the files of others in the folder {@code config} but that they are objects. */
  public StoreInspector(StoreOptions options, InspectionProgress progress) {
    this(options, progress, (fileName, content) -> Optional.empty());
  }

  /**
   * An inspection of the store that a broker with these options would open.
   *
   * @param progress hears how far it has come
   * @param formats know what is in the folder {@code config}
   */
  public StoreInspector(StoreOptions options, InspectionProgress progress, ProgressFormats formats) {
    this.options = options;
    this.progress = progress;
    this.formats = formats;
  }

  /** Whether a folder looks like a store at all. */
  public static boolean isStore(StoreOptions options) {
    return Files.exists(options.commitLog()) || Files.exists(options.consumeQueues()) || Files.exists(options.checkpointFile())
        || Files.exists(options.queueEndsFile());
  }

  /**
   * Reads everything; as long as it takes.
   *
   * @throws IOException when the files cannot be read at all, for instance for want of rights
   */
  public Inspection inspect() throws IOException {
    Findings findings = new Findings(options.root());
    // Notes first: a broker at work writes them last.
    StoreState state = new StoreState(options, !Files.exists(options.abortFile()), noted(), checkpoint());
    LogInspector log = new LogInspector(state, findings, progress);
    log.inspect();
    QueueInspector queues = new QueueInspector(state, findings, progress);
    queues.inspect();
    IndexInspector index = new IndexInspector(state, findings, progress);
    index.inspect();
    ProgressFilesInspector progressFiles = new ProgressFilesInspector(state, formats, findings);
    progressFiles.inspect();
    long checkpoints = new CheckpointInspector(state, findings).inspect(log.lastStoreTimestamp());
    return new Inspection(state.cleanExit(),
        List.of(
            row(findings, Area.COMMIT_LOG, state.log().files().size(), log.records()),
            row(findings, Area.CONSUME_QUEUES, queues.files(), queues.units()),
            row(findings, Area.KEY_INDEX, index.files(), index.entries()),
            row(findings, Area.PROGRESS_FILES, progressFiles.files(), progressFiles.files()),
            row(findings, Area.CHECKPOINT, checkpoints, checkpoints)),
        findings.kept());
  }

  private static Inspection.Row row(Findings findings, Area area, long files, long items) {
    return new Inspection.Row(area, files, items, findings.count(area, Severity.DAMAGE), findings.count(area, Severity.REMARK));
  }

  /** The current generation, or the one before it; that a file is damaged is told by the inspection of progress files. */
  private Optional<QueueEnds> noted() throws IOException {
    Path current = options.queueEndsFile();
    for (Path path : List.of(current, current.resolveSibling(current.getFileName() + ".bak"))) {
      if (Files.isRegularFile(path)) {
        try {
          return Optional.of(QueueEndsText.decode(Files.readAllBytes(path)));
        } catch (IOException damaged) {
          continue;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Checkpoint> checkpoint() throws IOException {
    Path path = options.checkpointFile();
    return Files.isRegularFile(path) ? CheckpointLayout.decode(Files.readAllBytes(path)) : Optional.empty();
  }
}
