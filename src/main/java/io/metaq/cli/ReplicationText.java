package io.metaq.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.BrokerInfo;
import io.metaq.client.BrokerStatus;
import io.metaq.client.ReplicationStatus;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** How the logs of brokers are replicated, for people and for programs. */
final class ReplicationText {
  private ReplicationText() {}

  /** Whether a broker has slaves or a master. */
  static boolean isThere(BrokerStatus status) {
    return status.replication().filter(told -> !told.followers().isEmpty() || told.source().isPresent()).isPresent();
  }

  /** A row for each slave that a master has, and for the master of each slave. */
  static TableText table(List<BrokerStatus> statuses) {
    TableText table = new TableText()
        .words("BROKER").words("ROLE").words("REPLICA").words("STATE").number("LAG BYTES").number("BYTES/S").words("LAST HEARD");
    for (BrokerStatus status : statuses) {
      BrokerInfo broker = status.broker();
      status.replication().ifPresent(told -> {
        told.followers().forEach(slave -> table.row(broker.name(), "master", "to " + slave.address(),
            slave.inSync() ? "in sync" : "behind", slave.lagBytes(), slave.bytesPerSecond(), time(slave.lastAnsweredMs())));
        told.source().ifPresent(master -> table.row(broker.name(), "slave " + broker.id(), "from " + master.address(),
            master.connected() ? "connected" : "not connected",
            master.lagBytes().isPresent() ? master.lagBytes().getAsLong() : "-", master.bytesPerSecond(), time(master.lastHeardMs())));
      });
    }
    return table;
  }

  private static String time(OptionalLong ms) {
    return AdminOutput.time(ms.orElse(0));
  }

  static void json(JsonGenerator out, ReplicationStatus told) throws IOException {
    out.writeObjectFieldStart("replication");
    out.writeArrayFieldStart("followers");
    for (ReplicationStatus.Follower slave : told.followers()) {
      out.writeStartObject();
      out.writeStringField("address", slave.address());
      out.writeNumberField("acknowledgedOffset", slave.acknowledgedOffset());
      out.writeNumberField("sentOffset", slave.sentOffset());
      out.writeNumberField("lagBytes", slave.lagBytes());
      out.writeBooleanField("inSync", slave.inSync());
      out.writeNumberField("bytesPerSecond", slave.bytesPerSecond());
      AdminOutput.number(out, "lastAnsweredTimestampMs", slave.lastAnsweredMs());
      out.writeEndObject();
    }
    out.writeEndArray();
    if (told.source().isPresent()) {
      ReplicationStatus.Source master = told.source().get();
      out.writeObjectFieldStart("master");
      out.writeStringField("address", master.address());
      out.writeBooleanField("connected", master.connected());
      out.writeNumberField("receivedOffset", master.receivedOffset());
      AdminOutput.number(out, "lagBytes", master.lagBytes());
      out.writeNumberField("bytesPerSecond", master.bytesPerSecond());
      AdminOutput.number(out, "lastHeardTimestampMs", master.lastHeardMs());
      out.writeEndObject();
    }
    out.writeEndObject();
  }
}
