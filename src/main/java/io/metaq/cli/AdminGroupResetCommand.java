package io.metaq.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.client.MetaqAdmin;
import io.metaq.client.Position;
import io.metaq.client.TopicQueue;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Moves a consumer group to another place in a topic. */
@Command(
    name = "reset",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Moves a consumer group in a topic: to a time in all queues, or to an offset in one.")
final class AdminGroupResetCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private AdminGroupCommand parent;
  @Mixin private Confirmation confirmation;

  @Parameters(paramLabel = "GROUP", description = "Its name.")
  private String group;

  @Option(names = {"-t", "--topic"}, required = true, paramLabel = "TOPIC", description = "Where it is moved.")
  private String topic;

  @ArgGroup(multiplicity = "1")
  private Target target;

  /** Where to: one of the two. */
  private static final class Target {
    @Option(
        names = "--to",
        required = true,
        paramLabel = "earliest|latest|TIME",
        converter = StartText.class,
        description = "The oldest message, the end, or the first message stored at this time or later, in every queue.")
    private Position position;

    @ArgGroup(exclusive = false, multiplicity = "1")
    private QueueOffset place;
  }

  @Override
  public Integer call() {
    String question = "Move consumer group '" + group + "' in topic '" + topic + "' to "
        + (target.position != null ? words() : target.place.words());
    return parent.admin().change(spec, confirmation, question, this::reset);
  }

  /** The position as the user wrote it. */
  private String words() {
    return spec.commandLine().getParseResult().matchedOption("--to").originalStringValues().get(0);
  }

  private void reset(MetaqAdmin cluster, AdminOutput out) {
    Map<TopicQueue, Long> moved = (target.position != null
        ? cluster.resetGroup(group, topic, target.position)
        : cluster.resetGroup(group, target.place.queue(topic), target.place.offset())).await().indefinitely();
    out.value(moved, AdminGroupResetCommand::json, people -> print(people, moved));
  }

  private static void print(PrintWriter people, Map<TopicQueue, Long> moved) {
    TableText table = new TableText().words("BROKER").number("QUEUE").number("NEXT OFFSET");
    moved.forEach((queue, offset) -> table.row(queue.broker(), queue.queueId(), offset));
    table.print(people);
  }

  private static void json(JsonGenerator out, Map<TopicQueue, Long> moved) throws IOException {
    out.writeStartArray();
    for (Map.Entry<TopicQueue, Long> entry : moved.entrySet()) {
      out.writeStartObject();
      out.writeStringField("broker", entry.getKey().broker());
      out.writeNumberField("queueId", entry.getKey().queueId());
      out.writeNumberField("offset", entry.getValue());
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
