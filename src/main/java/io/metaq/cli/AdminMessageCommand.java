package io.metaq.cli;

import io.metaq.client.FoundMessage;
import io.metaq.client.MetaqAdmin;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Shows one message by its id; its commands find messages otherwise and send one again. */
@Command(
    name = "message",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Shows the message with an id: the id its producer gave it, where -t names its topic, or the id of its place at its broker.",
      "'message find' looks for messages by key, time or offset, 'message resend ID' sends a copy of one."
    },
    subcommands = {AdminMessageFindCommand.class, AdminMessageResendCommand.class})
final class AdminMessageCommand implements Callable<Integer> {
  private static final Set<String> SHOWN_ALREADY = Set.of("TAGS", "KEYS", "UNIQ_KEY");

  @Spec private CommandSpec spec;
  @ParentCommand private AdminCommand admin;

  @Option(names = {"-t", "--topic"}, paramLabel = "TOPIC", description = "Its topic.")
  private String topic;

  @Parameters(arity = "0..1", paramLabel = "ID", description = "Its id.")
  private String id;

  AdminCommand admin() {
    return admin;
  }

  @Override
  public Integer call() {
    if (id == null) {
      throw new ParameterException(spec.commandLine(), "an id or a command is missing");
    }
    return admin.run(spec, this::show);
  }

  private void show(MetaqAdmin cluster, AdminOutput out) {
    FoundMessage found = find(cluster, Optional.ofNullable(topic), id);
    out.value(found, MessageText::json, people -> print(people, found));
  }

  /** The one message; a failure says what could be tried. */
  static FoundMessage find(MetaqAdmin cluster, Optional<String> topic, String id) {
    return cluster.message(topic, id).await().indefinitely().orElseThrow(() -> new CommandFailure(
        "there is no message with the id " + id + (topic.isPresent()
            ? " in topic '" + topic.get() + "', nor at that place"
            : " by place; with -t TOPIC it is looked for as the id its producer gave it")));
  }

  private static void print(PrintWriter people, FoundMessage found) {
    line(people, "topic", found.message().topic());
    line(people, "place", "broker " + found.broker() + ", queue " + found.queueId() + ", offset " + found.queueOffset());
    line(people, "message id", AdminOutput.orNone(found.messageId()));
    line(people, "offset id", found.offsetId());
    line(people, "born", AdminOutput.time(found.bornTimestampMs()) + " at " + found.bornHost());
    line(people, "stored", AdminOutput.time(found.storeTimestampMs()) + " at " + found.storeHost());
    line(people, "tag", found.message().tag().orElse("-"));
    line(people, "keys", AdminOutput.words(found.message().keys()));
    line(people, "sent back", AdminOutput.count(found.reconsumeTimes(), "time"));
    Map<String, String> properties = new TreeMap<>(found.message().properties());
    properties.keySet().removeAll(SHOWN_ALREADY);
    properties.forEach((name, value) -> line(people, "property", name + "=" + value));
    byte[] body = found.message().body();
    line(people, "body", AdminOutput.count(body.length, "byte") + found.fault().map(fault -> ", packed: " + fault).orElse(""));
    people.println();
    people.println(MessageText.utf8(body).map(MessageText::escaped).orElse("(no text; --json has it as Base64)"));
  }

  private static void line(PrintWriter people, String name, String value) {
    people.printf("%-12s%s%n", name, MessageText.escaped(value));
  }
}
