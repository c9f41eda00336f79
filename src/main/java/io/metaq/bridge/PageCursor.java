package io.metaq.bridge;

import io.metaq.client.Position;
import java.time.Instant;

/**
 * Where the next page of a topic begins, as text: a {@link ReadPosition}, and behind a dot the ms since 1970 of the first message that is
 * wanted of a queue which is not in it, because it could not be read yet. Without the dot, such a queue is read from its beginning.
 */
final class PageCursor {
  private static final char TIME = '.';

  private PageCursor() {}

  static String text(String topic, Position.Offsets next) {
    String text = ReadPosition.of(topic, next.byQueue()).text();
    return next.others() instanceof Position.At at ? text + TIME + at.timestampMs() : text;
  }

  /** @throws BridgeException {@code INVALID_POSITION} when the text is none of this topic */
  static Position parse(String topic, String text) {
    int dot = text.indexOf(TIME);
    ReadPosition queues = ReadPosition.parse(topic, dot < 0 ? text : text.substring(0, dot));
    return dot < 0 ? Position.at(queues.offsets())
        : new Position.Offsets(queues.offsets(), Position.at(Instant.ofEpochMilli(timestampMs(text.substring(dot + 1)))));
  }

  private static long timestampMs(String digits) {
    if (!digits.matches("-?[0-9]{1,18}")) {
      throw Fault.INVALID_POSITION.because("the position is none that this server gave out");
    }
    return Long.parseLong(digits);
  }
}
