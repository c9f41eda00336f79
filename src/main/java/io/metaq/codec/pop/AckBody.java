package io.metaq.codec.pop;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import io.metaq.codec.remoting.ByteSink;

/**
 * Body of an acknowledgement in the revive log: messages of one check point that are settled. One message has the form of tag
 * {@code ack}, several that of tag {@code bAck}.
 *
 * @param startOffset that of the check point; with topic, group, queue and {@code popTimeMs} it names it
 * @param queueOffsets those that are settled; no more are read than a check point has messages
 */
public record AckBody(
    String topic, String group, int queueId, String brokerName, long startOffset, long popTimeMs, long[] queueOffsets) {

  /** Whether it is about several messages. */
  public boolean batch() {
    return queueOffsets.length > 1;
  }

  /** Appends it as JSON. */
  public void encode(ByteSink out) {
    out.putAscii("{\"ao\":");
    out.putDecimal(batch() ? -1 : queueOffsets[0]);
    if (batch()) {
      out.putAscii(",\"aol\":[");
      for (int i = 0; i < queueOffsets.length; i++) {
        if (i > 0) {
          out.putByte(',');
        }
        out.putDecimal(queueOffsets[i]);
      }
      out.putByte(']');
    }
    out.putAscii(",\"bn\":");
    out.putJsonString(brokerName);
    out.putAscii(",\"c\":");
    out.putJsonString(group);
    out.putAscii(",\"pt\":");
    out.putDecimal(popTimeMs);
    out.putAscii(",\"q\":");
    out.putDecimal(queueId);
    out.putAscii(",\"so\":");
    out.putDecimal(startOffset);
    out.putAscii(",\"t\":");
    out.putJsonString(topic);
    out.putByte('}');
  }

  /**
   * Reads one of either form.
   *
   * @throws BodyException when it is none
   */
  public static AckBody decode(byte[] json) {
    String[] names = new String[3];
    long[] numbers = new long[4];
    FewNumbers offsets = new FewNumbers();
    RegistryJson.read("acknowledgement", json, in -> {
      RegistryJson.object(in, name -> {
        switch (name) {
          case "t" -> names[0] = RegistryJson.text(in);
          case "c" -> names[1] = RegistryJson.text(in);
          case "bn" -> names[2] = RegistryJson.text(in);
          case "q" -> numbers[0] = RegistryJson.integer(in);
          case "so" -> numbers[1] = RegistryJson.number(in);
          case "pt" -> numbers[2] = RegistryJson.number(in);
          case "ao" -> numbers[3] = RegistryJson.number(in);
          case "aol" -> offsets.read(in);
          default -> { }
        }
      });
      return null;
    });
    if (names[0] == null || names[1] == null) {
      throw new BodyException("the acknowledgement names no topic and group");
    }
    long[] all = offsets.isEmpty() ? new long[] {numbers[3]} : offsets.values();
    return new AckBody(names[0], names[1], (int) numbers[0], names[2] == null ? "" : names[2], numbers[1], numbers[2], all);
  }
}
