package io.metaq.cli;

import io.metaq.client.TopicQueue;
import picocli.CommandLine.Option;

/** Options that name a place in a queue. */
final class QueueOffset {
  @Option(names = "--broker", required = true, paramLabel = "BROKER", description = "Broker of the queue.")
  private String broker;

  @Option(names = "--queue", required = true, paramLabel = "N", description = "Number of the queue.")
  private int queueId;

  @Option(names = "--offset", required = true, paramLabel = "N", description = "Offset in the queue.")
  private long queueOffset;

  TopicQueue queue(String topic) {
    return new TopicQueue(topic, broker, queueId);
  }

  long offset() {
    return queueOffset;
  }

  /** As the end of a sentence. */
  String words() {
    return "offset " + queueOffset + " of queue " + queueId + " at broker '" + broker + "'";
  }
}
