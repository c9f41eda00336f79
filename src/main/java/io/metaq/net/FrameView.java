package io.metaq.net;

import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.HeaderPeek;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;

/** The one {@link InboundFrame} of a loop, laid over frame after frame where it lies in the read buffer; only the header is copied. */
@OwnedBy("its event loop")
final class FrameView implements InboundFrame {
  private static final int KEPT_HEADER_BYTES = 64 * 1024;

  private final HeaderPeek peek = new HeaderPeek();
  private byte[] header = new byte[4096];
  private int headerLength;
  private SerializeType type = SerializeType.JSON;
  private ByteBuffer window;
  private int bodyFrom;
  private int bodyTo;

  /**
   * Lays the view over the header at {@code headerFrom} and the body behind it, up to {@code end}.
   *
   * @throws HeaderException when the header cannot be decoded
   */
  void lay(ByteBuffer bytes, int headerFrom, int length, SerializeType headerType, int end) {
    if (header.length < length || header.length > KEPT_HEADER_BYTES && length <= KEPT_HEADER_BYTES) {
      header = new byte[Math.max(length, 4096)];
    }
    bytes.get(headerFrom, header, 0, length);
    headerLength = length;
    type = headerType;
    window = bytes;
    bodyFrom = headerFrom + length;
    bodyTo = end;
    peek.read(header, length, headerType);
  }

  /** Takes the view away: the bytes under it are about to go. */
  void lift() {
    window = null;
  }

  boolean isResponse() {
    return peek.isResponse();
  }

  @Override
  public int code() {
    return peek.code();
  }

  @Override
  public int opaque() {
    return peek.opaque();
  }

  @Override
  public boolean oneway() {
    return peek.oneway();
  }

  @Override
  public SerializeType type() {
    return type;
  }

  @Override
  public byte[] header() {
    return header;
  }

  @Override
  public int headerLength() {
    return headerLength;
  }

  @Override
  public ByteBuffer body() {
    return window.limit(bodyTo).position(bodyFrom);
  }

  @Override
  public RemotingCommand command() {
    RemotingCommand command = HeaderCodec.decode(header, 0, headerLength, type);
    if (bodyTo > bodyFrom) {
      byte[] body = new byte[bodyTo - bodyFrom];
      window.limit(window.capacity()).get(bodyFrom, body);
      command.body(body);
    }
    return command;
  }
}
