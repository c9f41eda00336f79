package io.metaq.codec.pop;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import io.metaq.codec.remoting.ByteSink;

/**
 * Body of a check point in the revive log (tag {@code ck}): messages of one queue that were popped together. Message {@code i} of
 * it has the queue offset {@code startOffset + differences[i]} and the bit {@code i} of {@code acked}.
 *
 * @param startOffset queue offset at which the pop began to read
 * @param acked bits of those that are settled already
 * @param differences what is to be added to {@code startOffset}, ascending; at most {@value #MAX_MESSAGES}
 * @param suspended whether their next delivery does not count as another attempt
 * @param movedMs names the last move of the group in the queue before the pop, 0 when there was none. RocketMQ does not have it and
 *     passes over it
 */
public record CheckpointBody(
    String topic,
    String group,
    int queueId,
    String brokerName,
    long startOffset,
    long popTimeMs,
    long invisibleMs,
    int acked,
    int[] differences,
    boolean suspended,
    long movedMs) {
  /** One bit of an int for each. */
  public static final int MAX_MESSAGES = 32;

  /** Appends it as JSON. */
  public void encode(ByteSink out) {
    out.putAscii("{\"bm\":");
    out.putDecimal(acked);
    out.putAscii(",\"bn\":");
    out.putJsonString(brokerName);
    out.putAscii(",\"c\":");
    out.putJsonString(group);
    out.putAscii(",\"d\":[");
    for (int i = 0; i < differences.length; i++) {
      if (i > 0) {
        out.putByte(',');
      }
      out.putDecimal(differences[i]);
    }
    out.putAscii("],\"it\":");
    out.putDecimal(invisibleMs);
    if (movedMs != 0) {
      out.putAscii(",\"mv\":");
      out.putDecimal(movedMs);
    }
    out.putAscii(",\"n\":");
    out.putDecimal(differences.length);
    out.putAscii(",\"pt\":");
    out.putDecimal(popTimeMs);
    out.putAscii(",\"q\":");
    out.putDecimal(queueId);
    out.putAscii(",\"so\":");
    out.putDecimal(startOffset);
    if (suspended) {
      out.putAscii(",\"sp\":true");
    }
    out.putAscii(",\"t\":");
    out.putJsonString(topic);
    out.putByte('}');
  }

  /**
   * Reads one, also of a RocketMQ that leaves the differences out because they are 0, 1, 2 and so on.
   *
   * @throws BodyException when it is none
   */
  public static CheckpointBody decode(byte[] json) {
    String[] names = new String[3];
    long[] numbers = new long[7];
    FewNumbers differences = new FewNumbers();
    boolean[] suspended = new boolean[1];
    RegistryJson.read("check point", json, in -> {
      RegistryJson.object(in, name -> {
        switch (name) {
          case "t" -> names[0] = RegistryJson.text(in);
          case "c" -> names[1] = RegistryJson.text(in);
          case "bn" -> names[2] = RegistryJson.text(in);
          case "q" -> numbers[0] = RegistryJson.integer(in);
          case "so" -> numbers[1] = RegistryJson.number(in);
          case "pt" -> numbers[2] = RegistryJson.number(in);
          case "it" -> numbers[3] = RegistryJson.number(in);
          case "bm" -> numbers[4] = RegistryJson.number(in);
          case "n" -> numbers[5] = RegistryJson.integer(in);
          case "mv" -> numbers[6] = RegistryJson.number(in);
          case "sp" -> suspended[0] = RegistryJson.flag(in);
          case "d" -> differences.read(in);
          default -> { }
        }
      });
      return null;
    });
    if (names[0] == null || names[1] == null) {
      throw new BodyException("the check point names no topic and group");
    }
    int count = (int) Math.max(0, Math.min(numbers[5], MAX_MESSAGES));
    int[] all = differences.isEmpty() ? consecutive(count) : differences.ints();
    String brokerName = names[2] == null ? "" : names[2];
    return new CheckpointBody(
        names[0], names[1], (int) numbers[0], brokerName, numbers[1], numbers[2], numbers[3], (int) numbers[4], all, suspended[0],
        numbers[6]);
  }

  private static int[] consecutive(int count) {
    int[] differences = new int[count];
    for (int i = 0; i < count; i++) {
      differences[i] = i;
    }
    return differences;
  }
}
