package io.metaq.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.BrokerInfo;
import io.metaq.client.MetaqAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
      "Lists the brokers with their rates of the last minute, messages stored since midnight, and how full their disk is.",
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
    List<BrokerInfo> brokers = cluster.brokers().collect().asList().await().indefinitely();
    out.list(brokers, AdminBrokersCommand::json, people -> print(people, brokers));
  }

  private static void print(PrintWriter people, List<BrokerInfo> brokers) {
    if (brokers.isEmpty()) {
      people.println("no broker is registered");
      return;
    }
    TableText table = new TableText()
        .words("CLUSTER").words("BROKER").words("ROLE").words("ADDRESS").words("VERSION")
        .number("IN/S").number("OUT/S").number("TODAY").number("DISK");
    brokers.forEach(broker -> table.row(
        broker.cluster(), broker.name(), broker.master() ? "master" : "slave " + broker.id(), broker.address(),
        broker.fault().isPresent() ? "no answer" : AdminOutput.orNone(broker.figure("brokerVersionDesc")),
        rate(broker, "putTps"), rate(broker, "getTransferredTps"), today(broker), disk(broker)));
    table.print(people);
    brokers.forEach(broker -> broker.fault().ifPresent(fault -> people.println("\n" + fault)));
  }

  /** Of three: over 10 s, a minute, ten minutes. */
  private static String rate(BrokerInfo broker, String figure) {
    String[] rates = broker.figure(figure).split(" ");
    return rates.length > LAST_MINUTE ? decimal(rates[LAST_MINUTE], 1, "") : "-";
  }

  private static String today(BrokerInfo broker) {
    try {
      return Long.toString(
          Long.parseLong(broker.figure("msgPutTotalTodayNow")) - Long.parseLong(broker.figure("msgPutTotalTodayMorning")));
    } catch (NumberFormatException unknown) {
      return "-";
    }
  }

  private static String disk(BrokerInfo broker) {
    return decimal(broker.figure("commitLogDiskRatio"), 100, "%");
  }

  private static String decimal(String text, int factor, String unit) {
    try {
      return String.format(Locale.ROOT, factor == 1 ? "%.1f%s" : "%.0f%s", Double.parseDouble(text) * factor, unit);
    } catch (NumberFormatException unknown) {
      return "-";
    }
  }

  private static void json(JsonGenerator out, BrokerInfo broker) throws IOException {
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
    out.writeEndObject();
  }
}
