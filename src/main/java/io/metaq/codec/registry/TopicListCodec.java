package io.metaq.codec.registry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A list of topic names, with one broker's address in the answer of GET_SYSTEM_TOPIC_LIST_FROM_NS. */
public final class TopicListCodec {
  private TopicListCodec() {}

  public static byte[] encode(Collection<String> topics) {
    return encode(topics, Optional.empty());
  }

  public static byte[] encode(Collection<String> topics, Optional<String> brokerAddress) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      if (brokerAddress.isPresent()) {
        out.writeStringField("brokerAddr", brokerAddress.get());
      }
      out.writeArrayFieldStart("topicList");
      for (String topic : topics) {
        out.writeString(topic);
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }

  /** @throws BodyException when it is not a topic list */
  public static List<String> decode(byte[] json) {
    List<String> topics = new ArrayList<>();
    RegistryJson.read("topic list", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("topicList")) {
          topics.addAll(RegistryJson.textList(in));
        }
      });
      return null;
    });
    return topics;
  }
}
