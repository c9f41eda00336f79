package io.metaq.client;

import java.util.Optional;

/**
 * What became of one sent message. A message with any of these stages is stored; it may have been stored twice when an earlier attempt
 * lost its answer (the message id is the same).
 *
 * @param messageId the id the client gave it, equal for all attempts and deliveries
 * @param offsetMessageId the broker's own id, which holds address and place of the record
 * @param queueOffset its number in the queue
 * @param stage how far the broker had come when it answered
 * @param recallHandle takes a message back that waits for its time, see {@link MetaqClient#recall}; only there for such messages
 */
public record SendReceipt(
    String messageId,
    String offsetMessageId,
    String topic,
    String broker,
    int queueId,
    long queueOffset,
    Stage stage,
    Optional<String> recallHandle) {

  /** How safe the message was when the broker answered. */
  public enum Stage {
    /** All that the broker is configured to wait for has happened. */
    STORED,
    /** Stored, but not confirmed on disk within the broker's time. */
    FLUSH_PENDING,
    /** Stored, but no replica is in sync. */
    NO_REPLICA,
    /** Stored, but no replica confirmed within the broker's time. */
    REPLICATION_PENDING
  }
}
