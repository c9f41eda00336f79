package io.metaq.client;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * Makes message ids in the form official clients have, 32 upper-case hex digits. What is random there by way of address and process is
 * random here at once, so that it is unique also in containers that share both.
 *
 * <pre>
 *   0               4       6               10              14      16 bytes
 *   +---------------+-------+---------------+---------------+-------+
 *   | random        | random| random        | timeMs        | count |
 *   +---------------+-------+---------------+---------------+-------+
 * </pre>
 *
 * timeMs is the low 32 bits of the wall clock; count goes up by one with each id. Two ids of one client differ as long as it makes fewer
 * than 65,536 in a ms.
 */
@OwnedBy("its client's context")
final class MessageIds {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final Clock clock;
  private final String prefix;
  private short count;

  MessageIds(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.prefix = HEX.toHexDigits(random.nextInt()) + HEX.toHexDigits((short) random.nextInt()) + HEX.toHexDigits(random.nextInt());
  }

  String next() {
    StringBuilder id = new StringBuilder(32).append(prefix);
    return id.append(HEX.toHexDigits((int) clock.millis())).append(HEX.toHexDigits(count++)).toString();
  }
}
