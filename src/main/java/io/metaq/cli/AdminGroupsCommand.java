package io.metaq.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.GroupSummary;
import io.metaq.client.MetaqAdmin;
import io.metaq.client.MissingBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Lists consumer groups. */
@Command(
    name = "groups",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Lists the consumer groups of applications: members connected now, messages they are behind, topics.")
final class AdminGroupsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private AdminCommand admin;

  @Option(names = {"-a", "--all"}, description = "Also those of brokers and tools.")
  private boolean all;

  @Override
  public Integer call() {
    return admin.run(spec, this::list);
  }

  private void list(MetaqAdmin cluster, AdminOutput out) {
    List<GroupSummary> every = cluster.groups().collect().asList().await().indefinitely();
    List<GroupSummary> groups = every.stream().filter(group -> all || !group.system()).toList();
    List<MissingBroker> missing = MissingBroker.ofAny(every, GroupSummary::missing);
    out.list(groups, AdminGroupsCommand::json, people -> print(people, groups, missing));
  }

  private void print(PrintWriter people, List<GroupSummary> groups, List<MissingBroker> missing) {
    if (groups.isEmpty()) {
      people.println("no consumer groups" + (all ? "" : " of applications; --all lists the others"));
      AdminOutput.missing(people, missing);
      return;
    }
    TableText table = new TableText().words("GROUP").number("MEMBERS").number("LAG").words("TOPICS");
    groups.forEach(group -> table.row(group.group(), AdminOutput.sum(group.members(), group.missing()),
        AdminOutput.sum(group.lag(), group.missing()), AdminOutput.words(group.topics())));
    table.print(people);
    AdminOutput.missing(people, missing);
  }

  private static void json(JsonGenerator out, GroupSummary group) throws IOException {
    out.writeStartObject();
    out.writeStringField("group", group.group());
    out.writeBooleanField("system", group.system());
    AdminOutput.sum(out, "members", group.members(), group.missing());
    AdminOutput.sum(out, "lag", group.lag(), group.missing());
    AdminOutput.texts(out, "topics", group.topics());
    AdminOutput.missing(out, group.missing());
    out.writeEndObject();
  }
}
