package io.metaq.broker;

import io.metaq.model.OwnedBy;

/** Bounds the bytes of requests that one part of a loop holds while it waits for something. */
@OwnedBy("its event loop")
final class HeldBytes {
  static final int MAX_BYTES = 8 * 1024 * 1024;

  private int bytes;

  /** Counts a request; false when it is too much, and not counted then. */
  boolean take(HeldRequest request) {
    if (bytes + request.bytes() > MAX_BYTES) {
      return false;
    }
    bytes += request.bytes();
    return true;
  }

  /** A request that was taken is held no more. */
  void giveBack(HeldRequest request) {
    bytes -= request.bytes();
  }
}
