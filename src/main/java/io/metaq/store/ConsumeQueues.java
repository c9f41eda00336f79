package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All consume queues by topic and queue id: added by the dispatcher, looked up from any thread. */
@OwnedBy("DispatchVerticle")
final class ConsumeQueues {
  private final Path folder;
  private final int fileSize;
  private final OpenFiles openFiles = new OpenFiles();
  private final Map<QueueKey, ConsumeQueue> queues = new ConcurrentHashMap<>();

  // Housekeeping's, read by the dispatcher.
  private volatile long cleanedTo;

  ConsumeQueues(Path folder, int fileSize) {
    this.folder = folder;
    this.fileSize = fileSize;
  }

  /** The queue, null when it has no message. */
  ConsumeQueue find(String topic, int queueId) {
    return queues.get(new QueueKey(topic, queueId));
  }

  /** The queue, made empty when it does not exist. */
  ConsumeQueue findOrMake(String topic, int queueId) {
    return queues.computeIfAbsent(new QueueKey(topic, queueId), key ->
        new ConsumeQueue(topic, queueId, folderOf(key), fileSize, openFiles, List.of(), 0));
  }

  /** Takes a queue over that recovery found. */
  void add(ConsumeQueue queue) {
    queues.put(new QueueKey(queue.topic(), queue.queueId()), queue);
  }

  void remove(ConsumeQueue queue) {
    queues.remove(new QueueKey(queue.topic(), queue.queueId()));
  }

  Collection<ConsumeQueue> all() {
    return queues.values();
  }

  /**
   * Where the log began when all queues had given up their files of deleted messages for the last time. A queue that lacks a first file
   * although the log begins there still has lost it; while the log has begun further on, it may just have been cleaned.
   */
  long cleanedTo() {
    return cleanedTo;
  }

  /** The queues have no files left that know only messages before {@code logFirst}, or nobody will take them away at that place. */
  void cleanedTo(long logFirst) {
    cleanedTo = logFirst;
  }

  OpenFiles openFiles() {
    return openFiles;
  }

  private Path folderOf(QueueKey key) {
    return folder.resolve(key.topic()).resolve(Integer.toString(key.queueId()));
  }
}
