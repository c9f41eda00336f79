package io.metaq.torture;

/** Where a message stands for consumers. */
record Place(String topic, int queueId, long queueOffset) {
  @Override
  public String toString() {
    return topic + "/" + queueId + " offset " + queueOffset;
  }
}
