package io.metaq.cli;

import io.metaq.client.MetaqAdmin;
import io.metaq.client.MetaqException;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Looks into a cluster and changes it. Its options may stand before or behind the names of its commands. */
@Command(
    name = "admin",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Looks into a cluster and changes it: tables for people, --json for programs. Works with MetaQ and with RocketMQ.",
      "What changes something asks first; --yes answers."
    },
    synopsisSubcommandLabel = "topics|topic|groups|group|brokers|message",
    subcommands = {
      AdminTopicsCommand.class, AdminTopicCommand.class, AdminGroupsCommand.class, AdminGroupCommand.class,
      AdminBrokersCommand.class, AdminMessageCommand.class
    })
final class AdminCommand {
  private static final Map<MetaqException.Reason, String> HINTS = Map.of(
      MetaqException.Reason.NO_NAME_SERVER, "; -n HOST:PORT says where one is",
      MetaqException.Reason.NOT_FOUND, "; 'metaq admin topics --all' and 'metaq admin groups --all' list what there is");

  @Mixin private ClientOptions cluster;

  @Option(names = "--json", scope = ScopeType.INHERIT, description = "Prints one JSON value instead of tables.")
  private boolean json;

  /** What a command does with the cluster. */
  interface Action {
    void run(MetaqAdmin admin, AdminOutput out);
  }

  /** Runs it and returns the exit status. */
  int run(CommandSpec spec, Action action) {
    PrintWriter out = spec.commandLine().getOut();
    return ClientRun.run(spec, cluster, (client, interruption) -> {
      try {
        action.run(client.admin(), new AdminOutput(out, json));
      } catch (MetaqException failure) {
        throw new CommandFailure(failure.getMessage() + HINTS.getOrDefault(failure.reason(), ""));
      }
    });
  }

  /** As {@link #run}, when the user agrees. */
  int change(CommandSpec spec, Confirmation confirmation, String question, Action action) {
    try {
      confirmation.ask(spec, question);
    } catch (Confirmation.Refused refused) {
      spec.commandLine().getErr().println("metaq: " + refused.getMessage());
      return spec.exitCodeOnExecutionException();
    }
    return run(spec, action);
  }
}
