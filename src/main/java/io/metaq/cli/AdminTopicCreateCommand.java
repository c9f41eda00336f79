package io.metaq.cli;

import io.metaq.client.TopicSettings;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Makes a topic, or changes one. */
@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Makes a topic; one that is there already is changed.")
final class AdminTopicCreateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private AdminTopicCommand parent;
  @Mixin private BrokerChoice where;
  @Mixin private Confirmation confirmation;

  @Parameters(paramLabel = "TOPIC", description = "Its name.")
  private String topic;

  @Option(
      names = "--queues",
      paramLabel = "N",
      description = "Queues at each broker; " + TopicSettings.DEFAULT_QUEUES + " by default.")
  private int queues = TopicSettings.DEFAULT_QUEUES;

  @Option(names = "--access", paramLabel = "rw|r|w", description = "Whether it is read and written; rw by default.")
  private String access = "rw";

  @Option(names = "--ordered", description = "Marks it for consumption in order.")
  private boolean ordered;

  @Option(
      names = "--attribute",
      paramLabel = "NAME=VALUE",
      description = "An attribute, such as message.type=FIFO.")
  private Map<String, String> attributes = Map.of();

  @Override
  public Integer call() {
    if (queues < 1) {
      throw new ParameterException(spec.commandLine(), "--queues must be at least 1");
    }
    if (!access.matches("rw|wr|r|w")) {
      throw new ParameterException(spec.commandLine(), "--access is rw, r or w, not '" + access + "'");
    }
    String question = "Create or change topic '" + topic + "' with " + AdminOutput.count(queues, "queue") + " at " + where.words();
    return parent.admin().change(spec, confirmation, question, (cluster, out) ->
        out.done("topic '" + topic + "' is", cluster.putTopic(settings(), where.cluster(), where.broker()).await().indefinitely()));
  }

  private TopicSettings settings() {
    TopicSettings settings =
        TopicSettings.of(topic).queues(queues).permit(access.contains("r"), access.contains("w")).ordered(ordered);
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      settings = settings.attribute(attribute.getKey(), attribute.getValue());
    }
    return settings;
  }
}
