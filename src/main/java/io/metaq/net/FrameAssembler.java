package io.metaq.net;

import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.OwnedBy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Cuts the byte stream of one connection into frames. Frames that lie whole in a read are handed on in place; only the unfinished tail
 * of a read is copied. Whoever receives the frames may stop the cutting at any frame; the rest of the read then waits here.
 *
 * <p>Bound: one read buffer, plus one unfinished frame, which beyond {@link BigFrames#BIG} bytes needs a ticket first.
 */
@OwnedBy("its event loop")
final class FrameAssembler {
  private static final int LENGTH_FIELD = 4;
  private static final int SMALLEST_PARTIAL = 256;

  /** Where frames go. */
  interface Receiver {
    /** Whether the next frame may come now. */
    boolean ready();

    /** One whole frame; the view is valid during the call. */
    void frame(FrameView frame);

    /** The stream makes no sense from here on. */
    void refuse(Refusal refusal, String detail);

    /** A ticket that was waited for is there; on any thread. */
    void ticketGranted();
  }

  private final Receiver receiver;
  private final FrameView view;
  private final int maxFrameBytes;
  private final BigFrames bigFrames;
  private final ByteBufAllocator allocator;
  private ByteBuf input;
  private ByteBuf partial;
  private BigFrames.Ticket ticket;
  private boolean greeted;
  private boolean cutting;
  private boolean ended;

  FrameAssembler(Receiver receiver, FrameView view, int maxFrameBytes, BigFrames bigFrames, ByteBufAllocator allocator) {
    this.receiver = receiver;
    this.view = view;
    this.maxFrameBytes = maxFrameBytes;
    this.bigFrames = bigFrames;
    this.allocator = allocator;
  }

  /** Takes one read; the buffer belongs to the assembler from now on. */
  void read(ByteBuf bytes) {
    if (ended) {
      bytes.release();
    } else if (input == null) {
      input = bytes;
      cut();
    } else {
      input = joined(input, bytes);
      cut();
    }
  }

  /** Goes on where the receiver stopped; does nothing while a frame is being handed on. */
  void cut() {
    if (cutting) {
      return;
    }
    cutting = true;
    try {
      while (input != null && !ended && receiver.ready() && !waitsForTicket()) {
        if (partial == null) {
          cutInPlace();
        } else {
          fillPartial();
        }
      }
    } finally {
      cutting = false;
      if (ended) {
        release();
      }
    }
  }

  /** Bytes are waiting here for the receiver. */
  boolean holdsInput() {
    return input != null;
  }

  /** A big frame is wanted and there is no room for it yet. */
  boolean waitsForTicket() {
    return ticket != null && !ticket.granted();
  }

  /** The ticket under which part of a big frame is held here, empty when none is. */
  Optional<BigFrames.Ticket> heldTicket() {
    return ticket != null && ticket.granted() ? Optional.of(ticket) : Optional.empty();
  }

  /** Ends the cutting, also from within; what is here is dropped. */
  void end() {
    ended = true;
    if (!cutting) {
      release();
    }
  }

  private void cutInPlace() {
    ByteBuf in = input;
    int from = in.readerIndex();
    ByteBuffer window = in.internalNioBuffer(from, in.readableBytes());
    int shift = window.position() - from;
    int end = window.limit();
    int at = window.position();
    while (end - at >= LENGTH_FIELD && receiver.ready()) {
      int length = window.getInt(at);
      if (!acceptable(length)) {
        return;
      }
      if (end - at - LENGTH_FIELD < length) {
        break;
      }
      int next = at + LENGTH_FIELD + length;
      handOn(window, at, length);
      if (ended) {
        return;
      }
      window.limit(end);
      at = next;
    }
    in.readerIndex(at - shift);
    if (at == end) {
      dropInput();
    } else if (receiver.ready()) {
      startPartial(end - at >= LENGTH_FIELD ? LENGTH_FIELD + window.getInt(at) : SMALLEST_PARTIAL);
    }
  }

  private void startPartial(int frameBytes) {
    if (frameBytes <= BigFrames.BIG) {
      partial = allocator.directBuffer(Math.max(frameBytes, SMALLEST_PARTIAL));
    } else if (takeTicket(frameBytes)) {
      // It grows with what comes: a peer that only claims a giant costs little.
      partial = allocator.directBuffer(BigFrames.BIG);
    }
  }

  private boolean takeTicket(int frameBytes) {
    if (ticket == null) {
      ticket = bigFrames.take(frameBytes, receiver::ticketGranted);
    }
    return ticket.granted();
  }

  /** Adds what the unfinished frame lacks, first its length field, then the rest. */
  private void fillPartial() {
    if (partial.readableBytes() < LENGTH_FIELD) {
      take(LENGTH_FIELD - partial.readableBytes());
      if (partial.readableBytes() < LENGTH_FIELD) {
        return;
      }
    }
    int length = partial.getInt(0);
    if (!acceptable(length)) {
      return;
    }
    int frameBytes = LENGTH_FIELD + length;
    if (frameBytes > BigFrames.BIG && !takeTicket(frameBytes)) {
      return;
    }
    if (input != null) {
      partial.ensureWritable(Math.min(frameBytes - partial.readableBytes(), input.readableBytes()));
    }
    take(frameBytes - partial.readableBytes());
    if (partial.readableBytes() == frameBytes) {
      ByteBuffer window = partial.internalNioBuffer(0, frameBytes);
      handOn(window, window.position(), length);
      dropPartial();
    }
  }

  private void take(int wanted) {
    if (input == null) {
      return;
    }
    int count = Math.min(wanted, input.readableBytes());
    partial.writeBytes(input, count);
    if (!input.isReadable()) {
      dropInput();
    }
  }

  private boolean acceptable(int length) {
    if (!greeted) {
      Optional<Refusal> stranger = FirstBytes.stranger(length);
      if (stranger.isPresent()) {
        refuse(stranger.get(), "");
        return false;
      }
      greeted = true;
    }
    if (length < HeaderCodec.PREFIX_LENGTH - LENGTH_FIELD || length > maxFrameBytes - LENGTH_FIELD) {
      refuse(Refusal.FRAME_LENGTH, "length " + length + ", allowed are 4 to " + (maxFrameBytes - LENGTH_FIELD));
      return false;
    }
    return true;
  }

  private void handOn(ByteBuffer window, int at, int length) {
    int word = window.getInt(at + LENGTH_FIELD);
    int headerLength = word & HeaderCodec.MAX_HEADER_LENGTH;
    if (headerLength > length - LENGTH_FIELD) {
      refuse(Refusal.HEADER_LENGTH, "header " + headerLength + " bytes, frame " + length);
      return;
    }
    int wireType = word >>> 24;
    SerializeType type = wireType == SerializeType.JSON.wire() ? SerializeType.JSON : SerializeType.ROCKETMQ;
    if (type.wire() != wireType) {
      refuse(Refusal.SERIALIZE_TYPE, "serialize type " + wireType);
      return;
    }
    try {
      view.lay(window, at + HeaderCodec.PREFIX_LENGTH, headerLength, type, at + LENGTH_FIELD + length);
    } catch (HeaderException e) {
      refuse(Refusal.HEADER, e.getMessage());
      return;
    }
    receiver.frame(view);
    view.lift();
  }

  private void refuse(Refusal refusal, String detail) {
    ended = true;
    receiver.refuse(refusal, detail);
  }

  private ByteBuf joined(ByteBuf first, ByteBuf second) {
    ByteBuf both = allocator.directBuffer(first.readableBytes() + second.readableBytes());
    both.writeBytes(first).writeBytes(second);
    first.release();
    second.release();
    return both;
  }

  private void release() {
    dropInput();
    dropPartial();
  }

  private void dropInput() {
    if (input != null) {
      input.release();
      input = null;
    }
  }

  private void dropPartial() {
    if (partial != null) {
      partial.release();
      partial = null;
    }
    if (ticket != null) {
      ticket.giveBack();
      ticket = null;
    }
  }
}
