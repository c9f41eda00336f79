package io.metaq.codec.remoting;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * Makes unique keys of messages in the form official clients have, 32 upper-case hex digits. What is random there by way of address and
 * process is random here at once, so that it is unique also in containers that share both.
 *
 * <pre>
 *   0               4       6               10              14      16 bytes
 *   +---------------+-------+---------------+---------------+-------+
 *   | random        | random| random        | monthMs       | count |
 *   +---------------+-------+---------------+---------------+-------+
 * </pre>
 *
 * monthMs is the time since the month began, in the zone of this machine, as a u32: tools that look a message up by its key begin to search
 * there. count goes up by one with each key. Two keys of one maker differ as long as it makes fewer than 65,536 in a ms.
 */
@OwnedBy("its loop or client's context")
public final class UniqueKeys {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final Clock clock;
  private final ZoneId zone;
  private final String prefix;
  private long monthStartMs;
  private long monthEndMs;
  private short count;

  public UniqueKeys(Clock clock, RandomGenerator random) {
    this(clock, random, ZoneId.systemDefault());
  }

  UniqueKeys(Clock clock, RandomGenerator random, ZoneId zone) {
    this.clock = clock;
    this.zone = zone;
    this.prefix = HEX.toHexDigits(random.nextInt()) + HEX.toHexDigits((short) random.nextInt()) + HEX.toHexDigits(random.nextInt());
  }

  public String next() {
    long nowMs = clock.millis();
    if (nowMs < monthStartMs || nowMs >= monthEndMs) {
      enterMonthOf(nowMs);
    }
    StringBuilder key = new StringBuilder(32).append(prefix);
    return key.append(HEX.toHexDigits((int) (nowMs - monthStartMs))).append(HEX.toHexDigits(count++)).toString();
  }

  private void enterMonthOf(long nowMs) {
    YearMonth month = YearMonth.from(Instant.ofEpochMilli(nowMs).atZone(zone));
    monthStartMs = startMs(month);
    monthEndMs = startMs(month.plusMonths(1));
  }

  private long startMs(YearMonth month) {
    return month.atDay(1).atStartOfDay(zone).toInstant().toEpochMilli();
  }
}
