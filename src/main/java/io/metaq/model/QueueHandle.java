package io.metaq.model;

/**
 * A queue as a sender names it to the writer of the commit log: topic and queue id, interned by each sender so that the writer hashes
 * a topic name only the first time it meets the handle. Immutable for senders; the writer keeps its own counter in it.
 */
@OwnedBy("CommitLogVerticle, which alone reads and sets the counter")
public final class QueueHandle {
  private final String topic;
  private final int queueId;

  // The writer's: what it found for this queue the first time.
  private QueueEnd end;

  public QueueHandle(String topic, int queueId) {
    this.topic = topic;
    this.queueId = queueId;
  }

  public String topic() {
    return topic;
  }

  public int queueId() {
    return queueId;
  }

  /** The writer's counter of this queue, null until the writer has set it. Called by the writer only. */
  public QueueEnd end() {
    return end;
  }

  /** Binds the writer's counter. Called by the writer only. */
  public void bind(QueueEnd queueEnd) {
    end = queueEnd;
  }

  @Override
  public String toString() {
    return topic + "/" + queueId;
  }
}
