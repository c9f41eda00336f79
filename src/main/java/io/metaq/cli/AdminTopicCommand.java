package io.metaq.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.MetaqAdmin;
import io.metaq.client.TopicDetails;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Shows one topic; its commands make and delete one. */
@Command(
    name = "topic",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Shows a topic: its queues with the offsets they hold, when each was last written to, who reads it.",
      "'topic create TOPIC' makes or changes one, 'topic delete TOPIC' deletes one."
    },
    subcommands = {AdminTopicCreateCommand.class, AdminTopicDeleteCommand.class})
final class AdminTopicCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private AdminCommand admin;

  @Parameters(arity = "0..1", paramLabel = "TOPIC", description = "Its name.")
  private String topic;

  AdminCommand admin() {
    return admin;
  }

  @Override
  public Integer call() {
    if (topic == null) {
      throw new ParameterException(spec.commandLine(), "a topic or a command is missing");
    }
    return admin.run(spec, this::show);
  }

  private void show(MetaqAdmin cluster, AdminOutput out) {
    TopicDetails details = cluster.topic(topic).await().indefinitely();
    out.value(details, AdminTopicCommand::json, people -> print(people, details));
  }

  private static void print(PrintWriter people, TopicDetails topic) {
    long messages = topic.queues().stream().mapToLong(TopicDetails.Queue::messages).sum();
    people.println(topic.topic() + ": " + (topic.missing().isEmpty() ? "" : "at least ") + AdminOutput.count(messages, "message") + " in "
        + AdminOutput.count(topic.queues().size(), "queue")
        + (topic.groups().isEmpty() ? ", read by no group" : ", read by " + AdminOutput.words(topic.groups())));
    people.println();
    TableText table =
        new TableText().words("BROKER").number("QUEUE").number("FROM").number("TO").number("MESSAGES").words("LAST STORED");
    topic.queues().forEach(queue -> table.row(
        queue.broker(), queue.queueId(), queue.minOffset(), queue.maxOffset(), queue.messages(),
        AdminOutput.time(queue.lastStoredMs())));
    table.print(people);
    AdminOutput.missing(people, topic.missing());
  }

  private static void json(JsonGenerator out, TopicDetails topic) throws IOException {
    out.writeStartObject();
    out.writeStringField("topic", topic.topic());
    AdminOutput.texts(out, "groups", topic.groups());
    out.writeArrayFieldStart("queues");
    for (TopicDetails.Queue queue : topic.queues()) {
      out.writeStartObject();
      out.writeStringField("broker", queue.broker());
      out.writeNumberField("queueId", queue.queueId());
      out.writeNumberField("minOffset", queue.minOffset());
      out.writeNumberField("maxOffset", queue.maxOffset());
      out.writeNumberField("lastStoreTimestampMs", queue.lastStoredMs());
      out.writeEndObject();
    }
    out.writeEndArray();
    AdminOutput.missing(out, topic.missing());
    out.writeEndObject();
  }
}
