package io.metaq.broker;

import io.metaq.codec.remoting.SerializeType;
import io.metaq.coordinator.api.GroupConflict;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import io.metaq.model.RecordFilter;
import io.metaq.net.Connection;
import java.util.function.Supplier;

/** One pull request that passed its checks, from arrival to answer. */
@OwnedBy("its event loop")
final class Pull {
  private final Connection connection;
  private final int opaque;
  private final SerializeType type;
  private final String topic;
  private final int queueId;
  private final int maxMessages;
  private final int maxBytes;
  private final Supplier<RecordFilter> filter;
  private final long deadlineNs;
  private final GroupConfig group;
  private final GroupConflict conflict;
  private final Tally readers;
  private long queueOffset;

  /**
   * @param queueOffset first offset wanted
   * @param deadlineNs until when it may be held, in the clock's nanos; only looked at when it is held
   */
  Pull(
      Connection connection, int opaque, SerializeType type, String topic, int queueId, long queueOffset, int maxMessages, int maxBytes,
      Supplier<RecordFilter> filter, GroupSnapshot group, Tally readers, long deadlineNs) {
    this.connection = connection;
    this.opaque = opaque;
    this.type = type;
    this.topic = topic;
    this.queueId = queueId;
    this.queueOffset = queueOffset;
    this.maxMessages = maxMessages;
    this.maxBytes = maxBytes;
    this.filter = filter;
    this.deadlineNs = deadlineNs;
    this.group = group.config();
    this.conflict = group.conflict();
    this.readers = readers;
  }

  Connection connection() {
    return connection;
  }

  int opaque() {
    return opaque;
  }

  SerializeType type() {
    return type;
  }

  String topic() {
    return topic;
  }

  int queueId() {
    return queueId;
  }

  long queueOffset() {
    return queueOffset;
  }

  int maxMessages() {
    return maxMessages;
  }

  int maxBytes() {
    return maxBytes;
  }

  /** Gives what selects the messages, anew for each read. */
  Supplier<RecordFilter> filter() {
    return filter;
  }

  long deadlineNs() {
    return deadlineNs;
  }

  /** Where what the group reads of the topic is counted. */
  Tally readers() {
    return readers;
  }

  /** Settings of the reader's group as they were when the pull came. */
  GroupConfig group() {
    return group;
  }

  /** What members of the reader's group wanted when the pull came: its filter minds no more than that. */
  GroupConflict conflict() {
    return conflict;
  }

  /** Goes on behind what was scanned without a match. */
  void advance(long nextQueueOffset) {
    queueOffset = nextQueueOffset;
  }
}
