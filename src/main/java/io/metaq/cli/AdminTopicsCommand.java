package io.metaq.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.MetaqAdmin;
import io.metaq.client.MissingBroker;
import io.metaq.client.TopicSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Lists topics. */
@Command(
    name = "topics",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Lists the topics of applications: where they are, their queues, what they permit.")
final class AdminTopicsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private AdminCommand admin;

  @Option(names = {"-a", "--all"}, description = "Also retries, dead letters and the brokers' own.")
  private boolean all;

  @Override
  public Integer call() {
    return admin.run(spec, this::list);
  }

  private void list(MetaqAdmin cluster, AdminOutput out) {
    List<TopicSummary> every = cluster.topics().collect().asList().await().indefinitely();
    List<TopicSummary> topics = every.stream().filter(topic -> all || topic.kind() == TopicSummary.Kind.NORMAL).toList();
    List<MissingBroker> missing = MissingBroker.ofAny(every, TopicSummary::missing);
    out.list(topics, AdminTopicsCommand::json, people -> print(people, topics, missing));
  }

  private void print(PrintWriter people, List<TopicSummary> topics, List<MissingBroker> missing) {
    if (topics.isEmpty()) {
      people.println("no topics" + (all ? "" : " of applications; --all lists the others"));
      AdminOutput.missing(people, missing);
      return;
    }
    TableText table = new TableText().words("TOPIC").words("KIND").number("QUEUES").words("ACCESS").words("BROKERS");
    topics.forEach(topic -> table.row(
        topic.topic(), kind(topic), queues(topic), access(topic), AdminOutput.words(topic.brokers())));
    table.print(people);
    AdminOutput.missing(people, missing);
  }

  private static String kind(TopicSummary topic) {
    return topic.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String queues(TopicSummary topic) {
    return topic.readQueues() == topic.writeQueues()
        ? AdminOutput.sum(topic.readQueues(), topic.missing())
        : AdminOutput.sum(topic.readQueues(), topic.missing()) + " read, " + AdminOutput.sum(topic.writeQueues(), topic.missing()) + " write";
  }

  private static String access(TopicSummary topic) {
    if (topic.readable()) {
      return topic.writable() ? "read, write" : "read";
    }
    return topic.writable() ? "write" : "none";
  }

  private static void json(JsonGenerator out, TopicSummary topic) throws IOException {
    out.writeStartObject();
    out.writeStringField("topic", topic.topic());
    out.writeStringField("kind", topic.kind().name());
    AdminOutput.sum(out, "readQueues", topic.readQueues(), topic.missing());
    AdminOutput.sum(out, "writeQueues", topic.writeQueues(), topic.missing());
    out.writeBooleanField("readable", topic.readable());
    out.writeBooleanField("writable", topic.writable());
    AdminOutput.texts(out, "brokers", topic.brokers());
    AdminOutput.missing(out, topic.missing());
    out.writeEndObject();
  }
}
