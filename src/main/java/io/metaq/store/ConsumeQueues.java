package io.metaq.store;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All consume queues by topic and queue id: added by the dispatcher, looked up from any thread. */
final class ConsumeQueues {
  private final Path folder;
  private final int fileSize;
  private final OpenFiles openFiles = new OpenFiles();
  private final Map<QueueKey, ConsumeQueue> queues = new ConcurrentHashMap<>();

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

  OpenFiles openFiles() {
    return openFiles;
  }

  private Path folderOf(QueueKey key) {
    return folder.resolve(key.topic()).resolve(Integer.toString(key.queueId()));
  }
}
