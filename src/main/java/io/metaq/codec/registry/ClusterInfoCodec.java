package io.metaq.codec.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/** {@link ClusterInfo} as the answer of GET_BROKER_CLUSTER_INFO, and one broker's members as that of GET_BROKER_MEMBER_GROUP. */
public final class ClusterInfoCodec {
  private ClusterInfoCodec() {}

  public static byte[] encode(ClusterInfo info) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("brokerAddrTable");
      for (BrokerData broker : info.brokers()) {
        out.writeFieldName(broker.brokerName());
        BrokerDataCodec.write(out, broker, IdKeys.QUOTED);
      }
      out.writeEndObject();
      out.writeObjectFieldStart("clusterAddrTable");
      for (Map.Entry<String, SortedSet<String>> cluster : info.namesByCluster().entrySet()) {
        out.writeArrayFieldStart(cluster.getKey());
        for (String name : cluster.getValue()) {
          out.writeString(name);
        }
        out.writeEndArray();
      }
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  /** @throws BodyException when it is not a cluster table */
  public static ClusterInfo decode(byte[] json) {
    List<BrokerData> brokers = new ArrayList<>();
    RegistryJson.read("cluster table", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("brokerAddrTable")) {
          RegistryJson.object(in, broker -> brokers.add(BrokerDataCodec.read(in)));
        }
      });
      return null;
    });
    return new ClusterInfo(brokers);
  }

  /** The addresses of one broker name by id. */
  public static byte[] encodeMembers(BrokerData broker) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("brokerMemberGroup");
      BrokerDataCodec.writeAddresses(out, broker.addresses(), IdKeys.QUOTED);
      out.writeStringField("brokerName", broker.brokerName());
      out.writeStringField("cluster", broker.cluster());
      out.writeEndObject();
      out.writeEndObject();
    });
  }
}
