package io.metaq.codec.remoting;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
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
 * there. count goes up by one with each key. Two keys of one maker differ as long as it makes fewer than 65,536 in a ms: where the clock goes
 * back, what is random is made anew.
 */
@OwnedBy("its loop or client's context")
public final class UniqueKeys {
  private static final byte[] DIGITS = "0123456789ABCDEF".getBytes(StandardCharsets.ISO_8859_1);
  private static final int LENGTH = 32;
  private static final int MONTH_MS_AT = 20;
  private static final int COUNT_AT = 28;

  private final Clock clock;
  private final RandomGenerator random;
  private final ZoneId zone;
  private final byte[] prefix = new byte[LENGTH];
  private long lastMs = Long.MIN_VALUE;
  private long monthStartMs;
  private long monthEndMs;
  private short count;

  public UniqueKeys(Clock clock, RandomGenerator random) {
    this(clock, random, ZoneId.systemDefault());
  }

  UniqueKeys(Clock clock, RandomGenerator random, ZoneId zone) {
    this.clock = clock;
    this.random = random;
    this.zone = zone;
    drawPrefix();
  }

  private void drawPrefix() {
    putHex(prefix, 0, random.nextInt(), Integer.BYTES);
    putHex(prefix, 8, random.nextInt(), Short.BYTES);
    putHex(prefix, 12, random.nextInt(), Integer.BYTES);
  }

  public String next() {
    long nowMs = clock.millis();
    if (nowMs < lastMs) {
      drawPrefix();
    }
    lastMs = nowMs;
    if (nowMs < monthStartMs || nowMs >= monthEndMs) {
      enterMonthOf(nowMs);
    }
    byte[] key = prefix.clone();
    putHex(key, MONTH_MS_AT, (int) (nowMs - monthStartMs), Integer.BYTES);
    putHex(key, COUNT_AT, count++, Short.BYTES);
    return new String(key, StandardCharsets.ISO_8859_1);
  }

  private static void putHex(byte[] key, int at, int value, int bytes) {
    for (int i = at + 2 * bytes - 1, rest = value; i >= at; i--, rest >>>= 4) {
      key[i] = DIGITS[rest & 15];
    }
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
