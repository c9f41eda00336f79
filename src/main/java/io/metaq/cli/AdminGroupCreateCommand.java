package io.metaq.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Makes a consumer group, or changes one. */
@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Makes a consumer group; one that is there already is changed.")
final class AdminGroupCreateCommand implements Callable<Integer> {
  private static final int DEFAULT_RETRIES = 16;

  @Spec private CommandSpec spec;
  @ParentCommand private AdminGroupCommand parent;
  @Mixin private BrokerChoice where;
  @Mixin private Confirmation confirmation;

  @Parameters(paramLabel = "GROUP", description = "Its name.")
  private String group;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "How often a message is tried again before it is a dead letter; " + DEFAULT_RETRIES + " by default.")
  private int retries = DEFAULT_RETRIES;

  @Option(names = "--no-broadcast", description = "Forbids consumption by broadcasting.")
  private boolean noBroadcast;

  @Override
  public Integer call() {
    if (retries < 0) {
      throw new ParameterException(spec.commandLine(), "--retries must be at least 0");
    }
    String question = "Create or change consumer group '" + group + "' at " + where.words();
    return parent.admin().change(spec, confirmation, question, (cluster, out) -> out.done("consumer group '" + group + "' is",
        cluster.putGroup(group, retries, !noBroadcast, where.cluster(), where.broker()).await().indefinitely()));
  }
}
