package io.metaq.bridge;

import io.metaq.client.FoundMessage;

/**
 * One message on its way to a subscriber.
 *
 * @param handle settles it
 * @param position where its reader is behind it, as a text
 */
record Item(FoundMessage message, String handle, String position) {
  /** About what it takes as JSON. */
  long bytes() {
    return message.message().body().length * 3L / 2 + 512;
  }
}
