package io.metaq.broker;

import io.metaq.codec.record.RecordEncoder;
import io.metaq.model.AppendStatus;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.ByteBuffer;

/** Records that a handler writes itself, rather than as the answer of a send: encoded into the batch of the loop round. */
@OwnedBy("its event loop")
final class OwnAppends {
  private final SendPipe pipe;
  private final RecordEncoder encoder;

  OwnAppends(BrokerOptions options, SendPipe pipe) {
    this.pipe = pipe;
    this.encoder = new RecordEncoder(options.storeHost());
  }

  /**
   * What is to be written.
   *
   * @param properties as the record will have them
   * @param bornHost as a record holds it
   */
  record Content(
      byte[] properties, byte[] body, byte[] bornHost, long bornTimestamp, int flag, int sysFlag, int reconsumeTimes) {}

  /**
   * What became of it.
   *
   * @param detail why it was refused, null when stored; the two places mean nothing then
   */
  record Outcome(boolean stored, String detail, long phyOffset, long queueOffset) {}

  /** Completes on this loop when the record is in the log, or refused. */
  Future<Outcome> append(TopicEntry topic, int queueId, Content content) {
    encoder
        .topic(topic.nameBytes(), 0, topic.nameBytes().length)
        .properties(content.properties(), 0, content.properties().length)
        .body(ByteBuffer.wrap(content.body()))
        .born(content.bornHost(), content.bornTimestamp())
        .message(queueId, content.flag(), content.sysFlag(), content.reconsumeTimes(), 0);
    int size = encoder.size();
    SendRound round = pipe.reserve(size);
    encoder.writeTo(round.batch().bytes(), round.batch().end());
    int index = round.batch().add(topic.queue(queueId), size);
    Promise<Outcome> outcome = Promise.promise();
    round.callback(index, (status, detail) -> outcome.complete(status == AppendStatus.STORED
        ? new Outcome(true, null, round.batch().phyOffset(index), round.batch().queueOffset(index))
        : new Outcome(false, detail, 0, 0)));
    return outcome.future();
  }
}
