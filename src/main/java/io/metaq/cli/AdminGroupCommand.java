package io.metaq.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.GroupDetails;
import io.metaq.client.GroupMembers;
import io.metaq.client.MemberReport;
import io.metaq.client.MetaqAdmin;
import io.metaq.client.MissingBroker;
import io.metaq.client.TopicQueue;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
      "Shows a consumer group: its members, what they subscribe to, how far they are in each queue, and who has it.",
      "'group create GROUP' makes or changes one, 'group delete GROUP' deletes one, 'group reset GROUP' moves one to"
          + " another time or offset."
    },
    subcommands = {AdminGroupCreateCommand.class, AdminGroupDeleteCommand.class, AdminGroupResetCommand.class})
final class AdminGroupCommand implements Callable<Integer> {
  private static final Duration MEMBER_LIMIT = Duration.ofSeconds(3);

  /** A group with what its members tell. */
  private record Report(GroupDetails group, List<MemberReport> members, List<MissingBroker> missing) {
    static Report of(GroupDetails group, GroupMembers members) {
      Map<String, MissingBroker> missing = new LinkedHashMap<>();
      Stream.concat(group.missing().stream(), members.missing().stream()).forEach(one -> missing.putIfAbsent(one.broker(), one));
      return new Report(group, members.reports(), List.copyOf(missing.values()));
    }

    /** Those the broker tells of; another one does not look, then the members tell. */
    List<String> contradictions() {
      return group.contradictions().isEmpty() ? MemberReport.contradictions(members) : group.contradictions();
    }

    List<String> holders(GroupDetails.Queue queue) {
      TopicQueue place = new TopicQueue(queue.topic(), queue.broker(), queue.queueId());
      return members.stream().filter(member -> member.holds(place)).map(member -> member.member().clientId()).toList();
    }
  }

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
    Report report = Report.of(details, cluster.members(group, MEMBER_LIMIT).await().indefinitely());
    out.value(report, AdminGroupCommand::json, people -> print(people, report));
  }

  private static void print(PrintWriter people, Report report) {
    GroupDetails group = report.group;
    String atLeast = report.missing.isEmpty() ? "" : "at least ";
    people.println(group.group() + ": " + atLeast + AdminOutput.count(group.members().size(), "member")
        + (group.messageModel().isEmpty() ? "" : ", " + group.messageModel().toLowerCase(Locale.ROOT))
        + ", " + atLeast + AdminOutput.count(group.lag(), "message") + " behind");
    AdminOutput.missing(people, report.missing);
    report.contradictions().forEach(contradiction -> people.println("members contradict one another: " + contradiction));
    if (!report.members.isEmpty()) {
      people.println();
      TableText members = new TableText()
          .words("MEMBER").words("ADDRESS").words("LANGUAGE").number("VERSION").words("SINCE").number("QUEUES").number("CACHED");
      report.members.forEach(one -> members.row(one.member().clientId(), one.member().address(), one.member().language(),
          one.member().version(), AdminOutput.time(one.told().map(told -> told.sinceMs().orElse(0)).orElse(0L)),
          one.told().map(told -> Integer.toString(told.queues().size())).orElse("-"),
          one.told().map(told -> Long.toString(told.queues().stream().mapToLong(MemberReport.Queue::cachedMessages).sum())).orElse("-")));
      members.print(people);
      report.members.forEach(one -> one.fault().ifPresent(people::println));
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
          .words("TOPIC").words("BROKER").number("QUEUE").number("OFFSET").number("END").number("LAG").words("LAST CONSUMED")
          .words("HELD BY");
      group.queues().forEach(queue -> queues.row(queue.topic(), queue.broker(), queue.queueId(), queue.offset(), queue.maxOffset(),
          queue.lag(), AdminOutput.time(queue.lastConsumedMs()), AdminOutput.words(report.holders(queue))));
      queues.print(people);
    }
  }

  private static void json(JsonGenerator out, Report report) throws IOException {
    GroupDetails group = report.group;
    out.writeStartObject();
    out.writeStringField("group", group.group());
    out.writeStringField("messageModel", group.messageModel());
    AdminOutput.sum(out, "lag", group.lag(), report.missing);
    out.writeArrayFieldStart("members");
    for (MemberReport one : report.members) {
      GroupDetails.Member member = one.member();
      out.writeStartObject();
      out.writeStringField("clientId", member.clientId());
      out.writeStringField("address", member.address());
      out.writeStringField("language", member.language());
      out.writeNumberField("version", member.version());
      if (one.told().isPresent()) {
        json(out, one.told().get());
      } else {
        out.writeStringField("fault", one.fault().orElse(""));
      }
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeObjectFieldStart("subscriptions");
    for (Map.Entry<String, String> subscription : new TreeMap<>(group.subscriptions()).entrySet()) {
      out.writeStringField(subscription.getKey(), subscription.getValue());
    }
    out.writeEndObject();
    AdminOutput.texts(out, "contradictions", report.contradictions());
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
      AdminOutput.texts(out, "heldBy", report.holders(queue));
      out.writeEndObject();
    }
    out.writeEndArray();
    AdminOutput.missing(out, report.missing);
    out.writeEndObject();
  }

  private static void json(JsonGenerator out, MemberReport.Told told) throws IOException {
    out.writeStringField("release", told.release());
    AdminOutput.number(out, "sinceTimestampMs", told.sinceMs());
    out.writeArrayFieldStart("queues");
    for (MemberReport.Queue queue : told.queues()) {
      out.writeStartObject();
      out.writeStringField("topic", queue.queue().topic());
      out.writeStringField("broker", queue.queue().broker());
      out.writeNumberField("queueId", queue.queue().queueId());
      AdminOutput.number(out, "offset", queue.offset());
      out.writeNumberField("cachedMessages", queue.cachedMessages());
      AdminOutput.number(out, "lastPulledTimestampMs", queue.lastPulledMs());
      AdminOutput.number(out, "lastConsumedTimestampMs", queue.lastConsumedMs());
      out.writeBooleanField("locked", queue.locked());
      out.writeBooleanField("pop", queue.pop());
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
