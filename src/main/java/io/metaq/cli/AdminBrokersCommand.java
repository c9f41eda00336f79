package io.metaq.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.BrokerInfo;
import io.metaq.client.BrokerStatus;
import io.metaq.client.MetaqAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Lists brokers. */
@Command(
    name = "brokers",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Lists the brokers with their rates of the last minute, how long sends took, messages stored since midnight, and how full their"
          + " disk is; and how their logs are replicated.",
      "--json has all that each tells of itself."
    })
final class AdminBrokersCommand implements Callable<Integer> {
  private static final int LAST_MINUTE = 1;

  @Spec private CommandSpec spec;
  @ParentCommand private AdminCommand admin;

  @Override
  public Integer call() {
    return admin.run(spec, AdminBrokersCommand::list);
  }

  private static void list(MetaqAdmin cluster, AdminOutput out) {
    List<BrokerStatus> statuses = cluster.statuses().await().indefinitely();
    out.list(statuses, AdminBrokersCommand::json, people -> print(people, statuses));
  }

  private static void print(PrintWriter people, List<BrokerStatus> statuses) {
    if (statuses.isEmpty()) {
      people.println("no broker is registered");
      return;
    }
    TableText table = new TableText()
        .words("CLUSTER").words("BROKER").words("ROLE").words("ADDRESS").words("VERSION")
        .number("IN/S").number("OUT/S").number("P99 MS").number("TODAY").number("DISK");
    statuses.forEach(status -> row(table, status));
    table.print(people);
    if (statuses.stream().anyMatch(ReplicationText::isThere)) {
      people.println();
      ReplicationText.table(statuses).print(people);
    }
    statuses.forEach(status -> status.broker().fault().ifPresent(fault -> people.println("\n" + fault)));
  }

  private static void row(TableText table, BrokerStatus status) {
    BrokerInfo broker = status.broker();
    table.row(
        broker.cluster(), broker.name(), broker.master() ? "master" : "slave " + broker.id(), broker.address(),
        broker.fault().isPresent() ? "no answer" : AdminOutput.orNone(broker.figure("brokerVersionDesc")),
        rate(broker, "putTps"), rate(broker, "getTransferredTps"), decimal(status.sendLatency().p99(), 1, ""),
        number(status.totals().storedToday()), decimal(status.disk().usedRatio(), 100, "%"));
  }

  /** Of three: over 10 s, a minute, ten minutes. */
  private static String rate(BrokerInfo broker, String figure) {
    String[] rates = broker.figure(figure).split(" ");
    try {
      return rates.length > LAST_MINUTE ? decimal(OptionalDouble.of(Double.parseDouble(rates[LAST_MINUTE])), 1, "") : "-";
    } catch (NumberFormatException unknown) {
      return "-";
    }
  }

  private static String number(OptionalLong number) {
    return number.isPresent() ? Long.toString(number.getAsLong()) : "-";
  }

  private static String decimal(OptionalDouble number, int factor, String unit) {
    return number.isPresent()
        ? String.format(Locale.ROOT, factor == 1 ? "%.1f%s" : "%.0f%s", number.getAsDouble() * factor, unit) : "-";
  }

  private static void json(JsonGenerator out, BrokerStatus status) throws IOException {
    BrokerInfo broker = status.broker();
    out.writeStartObject();
    out.writeStringField("cluster", broker.cluster());
    out.writeStringField("broker", broker.name());
    out.writeNumberField("id", broker.id());
    out.writeStringField("address", broker.address());
    if (broker.fault().isPresent()) {
      out.writeStringField("fault", broker.fault().get());
    }
    out.writeObjectFieldStart("figures");
    for (Map.Entry<String, String> figure : new TreeMap<>(broker.figures()).entrySet()) {
      out.writeStringField(figure.getKey(), figure.getValue());
    }
    out.writeEndObject();
    if (status.replication().isPresent()) {
      ReplicationText.json(out, status.replication().get());
    }
    out.writeEndObject();
  }
}
