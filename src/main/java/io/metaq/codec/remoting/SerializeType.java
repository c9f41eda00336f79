package io.metaq.codec.remoting;

import java.util.Optional;

/** How a frame's header is written; the top byte of the frame's second int. */
public enum SerializeType {
  JSON(0),
  ROCKETMQ(1);

  private final int wire;

  SerializeType(int wire) {
    this.wire = wire;
  }

  /** The number on the wire. */
  public int wire() {
    return wire;
  }

  /** The type of a wire number, empty when unknown. */
  public static Optional<SerializeType> of(int wire) {
    return switch (wire) {
      case 0 -> Optional.of(JSON);
      case 1 -> Optional.of(ROCKETMQ);
      default -> Optional.empty();
    };
  }
}
