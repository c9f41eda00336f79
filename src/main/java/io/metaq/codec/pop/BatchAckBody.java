package io.metaq.codec.pop;

import com.fasterxml.jackson.core.JsonParser;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * The body of BATCH_ACK_MESSAGE as clients write it: for each check point the messages of it that are settled. What it makes of a body
 * is bounded, however large that is: so many check points, and of each as many messages as one has.
 */
public final class BatchAckBody {
  /** RocketMQ's proxy, which gathers acknowledgements of a client's request, sends fewer by far. */
  public static final int MAX_ENTRIES = 4_096;

  /** Bits of a check point whose last message lies 48,000 queue offsets behind its first, for the filter did not want the others. */
  static final int MAX_BITS_TEXT = 8_000;

  private static final byte[] NO_BITS = {};

  private BatchAckBody() {}

  /**
   * Messages of one check point.
   *
   * @param retry whether they came from the group's retry topic of {@code topic}
   * @param queueOffsets which, at most {@value CheckpointBody#MAX_MESSAGES}
   */
  public record Entry(
      String group, String topic, boolean retry, int queueId, long startOffset, int reviveQueueId, long popTimeMs, long invisibleMs,
          long[] queueOffsets) {}

  /**
   * Reads all entries; those that name no topic and group are left out.
   *
   * @throws BodyException when it is no JSON, a number in it is none, or it is beyond a bound
   */
  public static List<Entry> decode(byte[] json) {
    List<Entry> entries = new ArrayList<>();
    RegistryJson.read("batch of acknowledgements", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("acks")) {
          RegistryJson.array(in, () -> add(entries, in));
        }
      });
      return null;
    });
    return entries;
  }

  private static void add(List<Entry> entries, JsonParser in) throws IOException {
    String[] texts = new String[3];
    long[] numbers = new long[5];
    byte[][] acked = {NO_BITS};
    RegistryJson.object(in, name -> {
      switch (name) {
        case "c" -> texts[0] = RegistryJson.text(in);
        case "t" -> texts[1] = RegistryJson.text(in);
        case "r" -> texts[2] = RegistryJson.text(in);
        case "so" -> numbers[0] = RegistryJson.number(in);
        case "q" -> numbers[1] = RegistryJson.integer(in);
        case "rq" -> numbers[2] = RegistryJson.integer(in);
        case "pt" -> numbers[3] = RegistryJson.number(in);
        case "it" -> numbers[4] = RegistryJson.number(in);
        case "b" -> acked[0] = bits(RegistryJson.text(in));
        default -> { }
      }
    });
    if (texts[0] == null || texts[1] == null) {
      return;
    }
    if (entries.size() == MAX_ENTRIES) {
      throw new BodyException("the batch acknowledges messages of more than " + MAX_ENTRIES + " check points; send several");
    }
    entries.add(new Entry(texts[0], texts[1], "1".equals(texts[2]), (int) numbers[1], numbers[0], (int) numbers[2], numbers[3],
        numbers[4],
        queueOffsets(numbers[0], acked[0])));
  }

  private static byte[] bits(String base64) {
    if (base64 == null) {
      return NO_BITS;
    }
    if (base64.length() > MAX_BITS_TEXT) {
      throw new BodyException("the bits of a batch of acknowledgements are " + base64.length() + " characters, at most " + MAX_BITS_TEXT
          + " may be");
    }
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException notOne) {
      throw new BodyException("the bits of a batch of acknowledgements are not Base64: '" + base64 + "'");
    }
  }

  /** Bit i, counted from the lowest of the first byte, stands for queue offset {@code startOffset + i}. */
  private static long[] queueOffsets(long startOffset, byte[] bits) {
    long[] found = new long[CheckpointBody.MAX_MESSAGES];
    int count = 0;
    for (int i = 0; i < bits.length * Byte.SIZE && count < found.length; i++) {
      if ((bits[i / Byte.SIZE] >>> i % Byte.SIZE & 1) != 0) {
        found[count++] = startOffset + i;
      }
    }
    return Arrays.copyOf(found, count);
  }
}
