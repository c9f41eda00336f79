package io.metaq.broker;

import io.metaq.codec.remoting.SendAnswers;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;

/**
 * A message, or the messages of a batch, that are in the log while their sender has not been answered yet.
 *
 * @param phyOffsets one for each message
 * @param extra the field that only its answer has; null for most
 * @param endOffset log position behind the last one
 * @param storedNs when the loop heard of it
 * @param code what it is to be answered with, as far as is known
 */
record StoredUnit(
    Connection connection,
    int opaque,
    SerializeType type,
    int queueId,
    long queueOffset,
    long[] phyOffsets,
    SendAnswers.Extra extra,
    long endOffset,
    long storedNs,
    ResultCode code)
    implements Unanswered<StoredUnit> {
  @Override
  public StoredUnit with(ResultCode outcome) {
    return outcome == code
        ? this : new StoredUnit(connection, opaque, type, queueId, queueOffset, phyOffsets, extra, endOffset, storedNs, outcome);
  }
}
