package io.metaq.broker;

import io.metaq.codec.remoting.HotHeader;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.net.Connection;
import io.metaq.net.InboundFrame;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A request that cannot be served in place, held on its own until its topic or group is there.
 *
 * @param code request code
 * @param header the header's bytes, copied
 * @param body the body, copied
 */
record HeldRequest(Connection connection, int code, byte[] header, SerializeType type, byte[] body) {
  static HeldRequest copyOf(Connection connection, InboundFrame frame) {
    byte[] body = new byte[frame.body().remaining()];
    frame.body().get(frame.body().position(), body);
    return new HeldRequest(connection, frame.code(), Arrays.copyOf(frame.header(), frame.headerLength()), frame.type(), body);
  }

  /** Reads the header again, for going on where the request was left. */
  void readInto(HotHeader view) {
    view.read(header, header.length, type);
  }

  ByteBuffer bodyBuffer() {
    return ByteBuffer.wrap(body);
  }

  int bytes() {
    return header.length + body.length;
  }
}
