package io.metaq.codec.pop;

import com.fasterxml.jackson.core.JsonParser;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;

/** The body of BATCH_ACK_MESSAGE as clients write it: for each check point the messages of it that are settled. */
public final class BatchAckBody {
  private BatchAckBody() {}

  /**
   * Messages of one check point.
   *
   * @param retry whether they came from the group's retry topic of {@code topic}
   * @param acked bit i stands for queue offset {@code startOffset + i}
   */
  public record Entry(
      String group, String topic, boolean retry, int queueId, long startOffset, int reviveQueueId, long popTimeMs, long invisibleMs,
          BitSet acked) {}

  /**
   * Reads all entries; those that name no topic and group are left out.
   *
   * @throws BodyException when it is no JSON, or a number in it is none
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
    BitSet[] acked = {new BitSet()};
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
    if (texts[0] != null && texts[1] != null) {
      entries.add(new Entry(texts[0], texts[1], "1".equals(texts[2]), (int) numbers[1], numbers[0], (int) numbers[2], numbers[3],
          numbers[4],
          acked[0]));
    }
  }

  private static BitSet bits(String base64) {
    try {
      return base64 == null ? new BitSet() : BitSet.valueOf(Base64.getDecoder().decode(base64));
    } catch (IllegalArgumentException notOne) {
      throw new BodyException("the bits of a batch of acknowledgements are not Base64: '" + base64 + "'");
    }
  }
}
