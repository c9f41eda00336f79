package io.metaq.codec.admin;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.util.ArrayList;
import java.util.List;

/** The answer of GET_BROKER_CONSUME_STATS: every group of a broker and how far it is in each of its topics. */
public record BrokerConsumeStats(String brokerAddress, List<Group> groups) {
  public BrokerConsumeStats {
    groups = List.copyOf(groups);
  }

  /** One group with an element for each of its topics. */
  public record Group(String name, List<ConsumeStats> topics) {
    public Group {
      topics = List.copyOf(topics);
    }
  }

  public byte[] encode() {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeStringField("brokerAddr", brokerAddress);
      out.writeArrayFieldStart("consumeStatsList");
      long behind = 0;
      for (Group group : groups) {
        out.writeStartObject();
        out.writeArrayFieldStart(group.name);
        for (ConsumeStats topic : group.topics) {
          topic.write(out);
          behind += topic.behind();
        }
        out.writeEndArray();
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeNumberField("totalDiff", behind);
      out.writeNumberField("totalInflightDiff", 0);
      out.writeEndObject();
    });
  }

  /**
   * Reads the answer of a broker.
   *
   * @throws BodyException when it is none
   */
  public static BrokerConsumeStats decode(String brokerName, byte[] json) {
    List<Group> groups = new ArrayList<>();
    String[] address = {""};
    RegistryJson.read("progress of a broker's groups", ObjectKeys.asTexts(json), in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("brokerAddr")) {
          address[0] = RegistryJson.text(in);
        } else if (name.equals("consumeStatsList")) {
          RegistryJson.array(in, () -> RegistryJson.object(in, group -> {
            List<ConsumeStats> topics = new ArrayList<>();
            RegistryJson.array(in, () -> topics.add(ConsumeStats.read(brokerName, in)));
            groups.add(new Group(group, topics));
          }));
        }
      });
      return null;
    });
    return new BrokerConsumeStats(address[0], groups);
  }
}
