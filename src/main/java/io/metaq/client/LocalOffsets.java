package io.metaq.client;

import io.metaq.codec.client.LocalProgressBody;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of a broadcasting group on this machine, in one small JSON file. A new version is written beside the old one, forced, and
 * renamed over it, so that a crash leaves one of the two, whole. A lock on a file beside it keeps two clients from sharing it.
 */
@OwnedBy("its client's context; files are touched on a worker")
final class LocalOffsets {
  private static final Logger log = LoggerFactory.getLogger(LocalOffsets.class);

  private final Home home;
  private final String group;
  private final Path file;
  private final Map<TopicQueue, Long> offsets = new HashMap<>();
  private Future<Void> opening;
  private Future<Void> saving = Future.succeededFuture();
  private Optional<FileChannel> lock = Optional.empty();
  private boolean changed;

  /**
   * Of a group; nothing is read yet.
   *
   * @param folder of the client's instance
   */
  LocalOffsets(Home home, Path folder, String group) {
    this.home = home;
    this.group = group;
    this.file = folder.resolve(URLEncoder.encode(group, StandardCharsets.UTF_8) + ".json");
  }

  /** Reads the file, once; fails with {@code INVALID} when it is another client's, or cannot be read. */
  Future<Void> open() {
    if (opening == null) {
      opening = home.blocking(this::read).map(found -> {
        offsets.putAll(found);
        return null;
      });
    }
    return opening;
  }

  /** What is known of a queue, empty when nothing is. Call when it is open. */
  OptionalLong of(TopicQueue queue) {
    Long offset = offsets.get(queue);
    return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  /** Takes note; {@link #save} writes it. */
  void put(TopicQueue queue, long queueOffset) {
    Long before = offsets.put(queue, queueOffset);
    changed |= before == null || before != queueOffset;
  }

  /** Writes what changed, if nothing is being written; fails when that cannot be done. */
  Future<Void> save() {
    if (changed && saving.isComplete()) {
      changed = false;
      byte[] body = LocalProgressBody.encode(group, entries());
      saving = home.blocking(() -> write(body)).onFailure(failure -> {
        changed = true;
        log.warn("progress not stored group={} file={} cause={}", group, file, failure.toString());
      });
    }
    return saving;
  }

  /** As {@link #save}, also what was noted while something is being written. */
  Future<Void> flush() {
    return saving.transform(before -> save());
  }

  /** Writes the last state and lets the file go; completes when that is done or has failed. */
  Future<Void> close() {
    return flush().transform(done -> home.blocking(this::unlock)).otherwiseEmpty();
  }

  private Map<LocalProgressBody.Queue, Long> entries() {
    Map<LocalProgressBody.Queue, Long> entries = new HashMap<>();
    offsets.forEach((queue, offset) -> entries.put(new LocalProgressBody.Queue(queue.topic(), queue.broker(), queue.queueId()), offset));
    return entries;
  }

  private Map<TopicQueue, Long> read() {
    try {
      Files.createDirectories(file.getParent());
      lockFile();
      Map<TopicQueue, Long> found = new HashMap<>();
      if (Files.exists(file)) {
        LocalProgressBody.decode(Files.readAllBytes(file))
            .forEach((queue, offset) -> found.put(new TopicQueue(queue.topic(), queue.broker(), queue.queueId()), offset));
      }
      return found;
    } catch (IOException | RuntimeException unusable) {
      if (unusable instanceof MetaqException typed) {
        throw typed;
      }
      throw MetaqException.of(
          MetaqException.Reason.INVALID,
          "the progress of broadcasting group '" + group + "' cannot be read from " + file + ": " + unusable.getMessage(), unusable);
    }
  }

  private void lockFile() throws IOException {
    FileChannel channel =
        FileChannel.open(file.resolveSibling(file.getFileName() + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!locked(channel)) {
      channel.close();
      throw MetaqException.of(
          MetaqException.Reason.INVALID,
          "the progress of broadcasting group '" + group + "' in " + file
              + " is in use by another client; give each client an instance name of its own");
    }
    lock = Optional.of(channel);
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      FileLock held = channel.tryLock();
      return held != null;
    } catch (OverlappingFileLockException withinThisProcess) {
      return false;
    }
  }

  private Void write(byte[] body) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel out = FileChannel.open(
        fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(body);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return null;
  }

  private Void unlock() throws IOException {
    if (lock.isPresent()) {
      lock.get().close();
      lock = Optional.empty();
    }
    return null;
  }
}
