package io.metaq.net;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import java.nio.ByteBuffer;

/** One request frame, decoded in place: a view that is valid only while {@link FrameHandler#request} runs. */
public interface InboundFrame {
  /** Request code, as on the wire. */
  int code();

  int opaque();

  /** True when the peer expects no answer, whatever happens. */
  boolean oneway();

  SerializeType type();

  /** The header's bytes, from 0 to {@link #headerLength()}; reused for the next frame. */
  byte[] header();

  int headerLength();

  /** The body from position to limit, empty when there is none; not a copy. */
  ByteBuffer body();

  /** The whole frame as a command of its own, body copied: may be kept. */
  RemotingCommand command();
}
