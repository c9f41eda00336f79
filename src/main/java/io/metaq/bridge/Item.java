package io.metaq.bridge;

/**
 * One message on its way to a subscriber.
 *
 * @param handle settles it
 * @param position where its reader is behind it, as a text
 */
record Item(MessageText message, String handle, String position) {
  /** About what it takes as JSON. */
  long bytes() {
    return message.bytes();
  }
}
