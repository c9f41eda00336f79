package io.metaq.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.GroupDetails;
import io.metaq.client.MetaqAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Shows one consumer group; its commands make, delete and move one. */
@Command(
    name = "group",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Shows a consumer group: its members, what they subscribe to, and how far they are in each queue.",
      "'group create GROUP' makes or changes one, 'group delete GROUP' deletes one, 'group reset GROUP' moves one to"
          + " another time or offset."
    },
    subcommands = {AdminGroupCreateCommand.class, AdminGroupDeleteCommand.class, AdminGroupResetCommand.class})
final class AdminGroupCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private AdminCommand admin;

  @Parameters(arity = "0..1", paramLabel = "GROUP", description = "Its name.")
  private String group;

  AdminCommand admin() {
    return admin;
  }

  @Override
  public Integer call() {
    if (group == null) {
      throw new ParameterException(spec.commandLine(), "a group or a command is missing");
    }
    return admin.run(spec, this::show);
  }

  private void show(MetaqAdmin cluster, AdminOutput out) {
    GroupDetails details = cluster.group(group).await().indefinitely();
    out.value(details, AdminGroupCommand::json, people -> print(people, details));
  }

  private static void print(PrintWriter people, GroupDetails group) {
    people.println(group.group() + ": " + AdminOutput.count(group.members().size(), "member")
        + (group.messageModel().isEmpty() ? "" : ", " + group.messageModel().toLowerCase(Locale.ROOT))
        + ", " + AdminOutput.count(group.lag(), "message") + " behind");
    group.contradictions().forEach(contradiction -> people.println("members contradict one another: " + contradiction));
    if (!group.members().isEmpty()) {
      people.println();
      TableText members = new TableText().words("MEMBER").words("ADDRESS").words("LANGUAGE").number("VERSION");
      group.members().forEach(member -> members.row(member.clientId(), member.address(), member.language(), member.version()));
      members.print(people);
    }
    if (!group.subscriptions().isEmpty()) {
      people.println();
      TableText filters = new TableText().words("SUBSCRIBED TO").words("FILTER");
      new TreeMap<>(group.subscriptions()).forEach(filters::row);
      filters.print(people);
    }
    if (!group.queues().isEmpty()) {
      people.println();
      TableText queues = new TableText()
          .words("TOPIC").words("BROKER").number("QUEUE").number("OFFSET").number("END").number("LAG").words("LAST CONSUMED");
      group.queues().forEach(queue -> queues.row(queue.topic(), queue.broker(), queue.queueId(), queue.offset(), queue.maxOffset(),
          queue.lag(), AdminOutput.time(queue.lastConsumedMs())));
      queues.print(people);
    }
  }

  private static void json(JsonGenerator out, GroupDetails group) throws IOException {
    out.writeStartObject();
    out.writeStringField("group", group.group());
    out.writeStringField("messageModel", group.messageModel());
    out.writeNumberField("lag", group.lag());
    out.writeArrayFieldStart("members");
    for (GroupDetails.Member member : group.members()) {
      out.writeStartObject();
      out.writeStringField("clientId", member.clientId());
      out.writeStringField("address", member.address());
      out.writeStringField("language", member.language());
      out.writeNumberField("version", member.version());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeObjectFieldStart("subscriptions");
    for (Map.Entry<String, String> subscription : new TreeMap<>(group.subscriptions()).entrySet()) {
      out.writeStringField(subscription.getKey(), subscription.getValue());
    }
    out.writeEndObject();
    AdminOutput.texts(out, "contradictions", group.contradictions());
    out.writeArrayFieldStart("queues");
    for (GroupDetails.Queue queue : group.queues()) {
      out.writeStartObject();
      out.writeStringField("topic", queue.topic());
      out.writeStringField("broker", queue.broker());
      out.writeNumberField("queueId", queue.queueId());
      out.writeNumberField("offset", queue.offset());
      out.writeNumberField("maxOffset", queue.maxOffset());
      out.writeNumberField("lag", queue.lag());
      out.writeNumberField("lastConsumedTimestampMs", queue.lastConsumedMs());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
