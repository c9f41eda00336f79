package io.metaq.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Deletes a consumer group. */
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Deletes a consumer group and its progress at every broker. Its retry and dead-letter topics stay.")
final class AdminGroupDeleteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private AdminGroupCommand parent;
  @Mixin private Confirmation confirmation;

  @Parameters(paramLabel = "GROUP", description = "Its name.")
  private String group;

  @Override
  public Integer call() {
    return parent.admin().change(spec, confirmation, "Delete consumer group '" + group + "' with its progress", (cluster, out) ->
        out.done("consumer group '" + group + "' is deleted", cluster.deleteGroup(group).await().indefinitely()));
  }
}
