package io.metaq.codec.remoting;

import io.metaq.model.OwnedBy;

/**
 * What every frame must be asked first: code, opaque, flag. Reused for frame after frame; the usual JSON form and the binary form are
 * read in place, the rest is decoded in full.
 */
@OwnedBy("the loop that reads with it")
public final class HeaderPeek {
  private final JsonEnvelope envelope = new JsonEnvelope();
  private int code;
  private int opaque;
  private int flag;

  /**
   * Looks at the header in {@code header[0, length)}.
   *
   * @throws HeaderException when it cannot be decoded
   */
  public void read(byte[] header, int length, SerializeType type) {
    if (readBinary(header, 0, length, type)) {
      return;
    }
    if (type == SerializeType.JSON && envelope.scan(header, length)) {
      code = envelope.code();
      opaque = envelope.opaque();
      flag = envelope.flag();
    } else {
      RemotingCommand command = HeaderCodec.decode(header, 0, length, type);
      code = command.code();
      opaque = command.opaque();
      flag = command.flag();
    }
  }

  /** As {@link #read}, of a header anywhere, if it is a binary one; false when it is not. */
  public boolean readBinary(byte[] header, int from, int length, SerializeType type) {
    if (type != SerializeType.ROCKETMQ || length < BinaryHeader.FIXED_LENGTH) {
      return false;
    }
    flag = BinaryHeader.flag(header, from);
    code = BinaryHeader.code(header, from);
    opaque = BinaryHeader.opaque(header, from);
    return true;
  }

  public int code() {
    return code;
  }

  public int opaque() {
    return opaque;
  }

  /** The frame answers a request of ours. */
  public boolean isResponse() {
    return (flag & RemotingCommand.RESPONSE) != 0;
  }

  /** Nobody waits for an answer. */
  public boolean oneway() {
    return (flag & RemotingCommand.ONEWAY) != 0;
  }
}
