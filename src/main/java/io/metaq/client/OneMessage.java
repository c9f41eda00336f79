package io.metaq.client;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.SysFlag;
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
  private final Message message;
  private final String messageId;
  private final String properties;
  private final String group;
  private final Target target;
  private boolean unpacked;
  private byte[] body;
  private int sysFlag;

  /**
   * @param properties text of all of them, with the id
   * @param compress whether the body is long enough to be compressed
   */
  OneMessage(Kind kind, Message message, String messageId, String properties, String group, boolean compress) {
    this.kind = kind;
    this.message = message;
    this.messageId = messageId;
    this.properties = properties;
    this.group = group;
    this.target = Target.of(message);
    this.unpacked = compress;
    this.body = message.body();
    this.sysFlag = kind.sysFlag;
  }

  @Override
  public String topic() {
    return message.topic();
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
    return message.body().length;
  }

  @Override
  public boolean unpacked() {
    return unpacked;
  }

  @Override
  public void pack() {
    unpacked = false;
    byte[] packed = Bodies.pack(message.body());
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
  public RemotingCommand request(TopicQueue queue, long nowMs) {
    RemotingCommand request = SendRequests.of(kind.code, message, properties, body, sysFlag, queue, group, nowMs);
    return oneWay() ? request.withoutAnswer() : request;
  }

  @Override
  public Optional<SendReceipt> receipt(RemotingCommand answer, TopicQueue queue) {
    return SendRequests.receipt(answer, messageId, queue);
  }
}
