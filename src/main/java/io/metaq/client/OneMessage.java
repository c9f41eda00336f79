package io.metaq.client;

import io.metaq.codec.remoting.SendAnswer;
import io.metaq.codec.remoting.SendRequest;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.SysFlag;
import io.metaq.model.Topics;
import java.util.Optional;

/** One message as it is sent, its body compressed if that is worth it. */
@OwnedBy("its client's context; the worker that packs it meanwhile")
final class OneMessage implements Parcel<SendReceipt> {
  /** How it is sent. */
  enum Kind {
    PLAIN(RequestCode.SEND_MESSAGE_V2, SysFlag.TRANSACTION_NONE),
    HALF(RequestCode.SEND_MESSAGE_V2, SysFlag.TRANSACTION_PREPARED),
    REPLY(RequestCode.SEND_REPLY_MESSAGE_V2, SysFlag.TRANSACTION_NONE),
    ONE_WAY(RequestCode.SEND_MESSAGE_V2, SysFlag.TRANSACTION_NONE);

    private final RequestCode code;
    private final int sysFlag;

    Kind(RequestCode code, int sysFlag) {
      this.code = code;
      this.sysFlag = sysFlag;
    }
  }

  private final Kind kind;
  private final IdentifiedMessage identified;
  private final String group;
  private final Target target;
  private boolean unpacked;
  private byte[] body;
  private int sysFlag;

  /**
   * @param compress whether the body is long enough to be compressed
   */
  OneMessage(Kind kind, IdentifiedMessage identified, String group, boolean compress) {
    this.kind = kind;
    this.identified = identified;
    this.group = group;
    this.target = Target.of(identified.message());
    this.unpacked = compress;
    this.body = identified.message().body();
    this.sysFlag = kind.sysFlag;
  }

  @Override
  public String topic() {
    return identified.message().topic();
  }

  @Override
  public Target target() {
    return target;
  }

  @Override
  public int messages() {
    return 1;
  }

  @Override
  public int bytes() {
    return identified.message().body().length;
  }

  @Override
  public boolean unpacked() {
    return unpacked;
  }

  @Override
  public void pack() {
    unpacked = false;
    byte[] packed = Bodies.pack(body);
    if (packed.length < body.length) {
      body = packed;
      sysFlag |= SysFlag.COMPRESSED | Bodies.ZLIB_FLAG;
    }
  }

  @Override
  public boolean oneWay() {
    return kind == Kind.ONE_WAY;
  }

  /** A broker that could not bring a reply to its requester has stored it all the same. */
  @Override
  public boolean repeatedWhenRefused() {
    return kind != Kind.REPLY;
  }

  @Override
  public SendRequest request(TopicQueue queue, long nowMs) {
    return new SendRequest(
        kind.code,
        group,
        topic(),
        Topics.TEMPLATE,
        Route.NEW_TOPIC_QUEUES,
        queue.queueId(),
        sysFlag,
        nowMs,
        identified.message().flag(),
        identified.properties(),
        false,
        queue.broker(),
        oneWay(),
        body);
  }

  @Override
  public Optional<SendReceipt> receipt(SendAnswer answer, TopicQueue queue) {
    return Receipts.of(answer, identified.messageId(), queue);
  }
}
