package io.metaq.codec.admin;

import io.metaq.codec.client.SubscriptionJson;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import io.metaq.model.Subscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Small answers about groups: who reads a topic, and by which filter. */
public final class GroupBodies {
  private GroupBodies() {}

  /** Of QUERY_TOPIC_CONSUME_BY_WHO. */
  public static byte[] names(Collection<String> groups) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeArrayFieldStart("groupList");
      for (String group : groups) {
        out.writeString(group);
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }

  /** Of UPDATE_AND_GET_GROUP_FORBIDDEN. */
  public static byte[] forbidden(String group, String topic, boolean readable) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeStringField("group", group);
      out.writeBooleanField("readable", readable);
      out.writeStringField("topic", topic);
      out.writeEndObject();
    });
  }

  /**
   * Reads the answer of QUERY_TOPIC_CONSUME_BY_WHO.
   *
   * @throws BodyException when it is none
   */
  public static List<String> decodeNames(byte[] json) {
    List<String> groups = new ArrayList<>();
    RegistryJson.read("list of groups", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("groupList")) {
          groups.addAll(RegistryJson.textList(in));
        }
      });
      return null;
    });
    return groups;
  }

  /** Of QUERY_SUBSCRIPTION_BY_CONSUMER. */
  public static byte[] subscription(String group, String topic, Optional<Subscription> subscription) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeStringField("group", group);
      if (subscription.isPresent()) {
        out.writeFieldName("subscriptionData");
        SubscriptionJson.write(out, subscription.get());
      }
      out.writeStringField("topic", topic);
      out.writeEndObject();
    });
  }
}
