package io.metaq.cli;

import io.metaq.client.FoundMessage;
import io.metaq.client.MetaqAdmin;
import io.metaq.client.Position;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Finds messages by key, by time or by offset. */
@Command(
    name = "find",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Finds messages of a topic: those with a key, those stored since a time, or those from an offset of a queue on.")
final class AdminMessageFindCommand implements Callable<Integer> {
  private static final int DEFAULT_COUNT = 10;
  private static final int SHOWN_CHARACTERS = 40;

  @Spec private CommandSpec spec;
  @ParentCommand private AdminMessageCommand parent;

  @Option(names = {"-t", "--topic"}, required = true, paramLabel = "TOPIC", description = "Where to look.")
  private String topic;

  @ArgGroup(multiplicity = "1")
  private What what;

  @Option(names = "--count", paramLabel = "N", description = "Finds so many at most; " + DEFAULT_COUNT + " by default.")
  private int count = DEFAULT_COUNT;

  /** What to look for: one of the three. */
  private static final class What {
    @Option(names = "--key", required = true, paramLabel = "KEY", description = "Messages with this key.")
    private String key;

    @Option(
        names = "--since",
        required = true,
        paramLabel = "TIME",
        converter = StartText.class,
        description = "Messages stored at this time or later, like 2026-01-31T12:00:00.")
    private Position since;

    @ArgGroup(exclusive = false, multiplicity = "1")
    private QueueOffset place;
  }

  @Override
  public Integer call() {
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--count must be at least 1");
    }
    if (what.since instanceof Position.Latest) {
      throw new ParameterException(spec.commandLine(), "--since latest would find nothing");
    }
    return parent.admin().run(spec, this::find);
  }

  private void find(MetaqAdmin cluster, AdminOutput out) {
    List<FoundMessage> found = found(cluster);
    out.list(found, MessageText::json, people -> print(people, found));
  }

  private List<FoundMessage> found(MetaqAdmin cluster) {
    if (what.key != null) {
      return cluster.messagesByKey(topic, what.key, count).await().indefinitely();
    }
    if (what.since != null) {
      long sinceMs = what.since instanceof Position.At at ? at.timestampMs() : 0;
      return cluster.messagesSince(topic, Instant.ofEpochMilli(sinceMs), count).await().indefinitely();
    }
    return cluster.messagesAt(what.place.queue(topic), what.place.offset(), count).await().indefinitely();
  }

  private static void print(PrintWriter people, List<FoundMessage> found) {
    if (found.isEmpty()) {
      people.println("no such message");
      return;
    }
    TableText table = new TableText()
        .words("STORED").words("BROKER").number("QUEUE").number("OFFSET")
        .words("MESSAGE ID").words("TAG").words("KEYS").words("BODY");
    found.forEach(message -> table.row(
        AdminOutput.time(message.storeTimestampMs()), message.broker(), message.queueId(), message.queueOffset(),
        message.messageId().isEmpty() ? message.offsetId() : message.messageId(), message.message().tag().orElse("-"),
        AdminOutput.words(message.message().keys()), beginning(message)));
    table.print(people);
  }

  private static String beginning(FoundMessage message) {
    Optional<String> text = MessageText.utf8(message.message().body());
    if (text.isEmpty()) {
      return "(" + AdminOutput.count(message.message().body().length, "byte") + ")";
    }
    return text.get().length() <= SHOWN_CHARACTERS ? text.get() : text.get().substring(0, SHOWN_CHARACTERS) + "...";
  }
}
