package io.metaq.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Deletes a topic. */
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Deletes a topic at every broker and name server. Its messages can no longer be read.")
final class AdminTopicDeleteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private AdminTopicCommand parent;
  @Mixin private Confirmation confirmation;

  @Parameters(paramLabel = "TOPIC", description = "Its name.")
  private String topic;

  @Override
  public Integer call() {
    return parent.admin().change(spec, confirmation, "Delete topic '" + topic + "' with its messages", (cluster, out) ->
        out.done("topic '" + topic + "' is deleted", cluster.deleteTopic(topic).await().indefinitely()));
  }
}
