package io.metaq.cli;

import io.metaq.client.FoundMessage;
import io.metaq.client.MetaqAdmin;
import io.metaq.client.SendReceipt;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Sends a copy of a message. */
@Command(
    name = "resend",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Sends a copy of a message, with an id of its own: to its topic, or for one group only.",
      "A dead letter goes back to its group."
    })
final class AdminMessageResendCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @ParentCommand private AdminMessageCommand parent;
  @Mixin private Confirmation confirmation;

  @Parameters(paramLabel = "ID", description = "Its id.")
  private String id;

  @Option(names = {"-t", "--topic"}, paramLabel = "TOPIC", description = "Its topic; needed when the id is the producer's.")
  private String topic;

  @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "The only group that gets it again.")
  private String group;

  @Override
  public Integer call() {
    String question = "Send a copy of message " + id + (group == null ? "" : " to consumer group '" + group + "'");
    return parent.admin().change(spec, confirmation, question, this::resend);
  }

  private void resend(MetaqAdmin cluster, AdminOutput out) {
    FoundMessage found = AdminMessageCommand.find(cluster, Optional.ofNullable(topic), id);
    SendReceipt receipt = cluster.resend(found, Optional.ofNullable(group)).await().indefinitely();
    out.value(receipt, (generator, sent) -> {
      generator.writeStartObject();
      generator.writeStringField("messageId", sent.messageId());
      generator.writeStringField("broker", sent.broker());
      generator.writeNumberField("queueId", sent.queueId());
      generator.writeNumberField("queueOffset", sent.queueOffset());
      generator.writeEndObject();
    }, people -> people.println("sent again as " + receipt.messageId() + " to broker " + receipt.broker() + ", queue "
        + receipt.queueId() + ", offset " + receipt.queueOffset()));
  }
}
