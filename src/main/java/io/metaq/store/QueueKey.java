package io.metaq.store;

/** One queue, as a key. */
record QueueKey(String topic, int queueId) {

  // Written out: those of a record are made at first use, which costs some 20 ms of the start.
  @Override
  public boolean equals(Object other) {
    return other instanceof QueueKey key && key.queueId == queueId && key.topic.equals(topic);
  }

  @Override
  public int hashCode() {
    return topic.hashCode() * 31 + queueId;
  }
}
