package io.metaq.cli;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.SendReceipt;
import io.metaq.model.Clock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sends messages. */
@Command(
    name = "produce",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Sends messages and prints one line for each that is stored.",
      "Bodies are the arguments, or the content of a file, or the lines of standard input, with the bytes they have."
    })
final class ProduceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClientOptions cluster;
  @Mixin private ProgressLine progress;

  @Option(names = {"-t", "--topic"}, required = true, paramLabel = "TOPIC", description = "Where to send.")
  private String topic;

  @Option(names = "--tag", paramLabel = "TAG", description = "Tag of each message.")
  private String tag;

  @Option(names = "--key", paramLabel = "KEY", description = "Key of each message; may be given several times.")
  private List<String> keys = List.of();

  @Option(names = "--property", paramLabel = "NAME=VALUE", description = "Property of each message; may be given several times.")
  private Map<String, String> properties = Map.of();

  @Option(names = "--file", paramLabel = "FILE", description = "A file whose content is the body of one message.")
  private Path file;

  @Option(names = "--lines", description = "With --file: each line is a message.")
  private boolean lines;

  @Option(names = {"-q", "--quiet"}, description = "Prints nothing for stored messages.")
  private boolean quiet;

  @Parameters(paramLabel = "BODY", description = "Body of a message, as UTF-8; each argument is one message.")
  private List<String> bodies = List.of();

  @Override
  public Integer call() {
    if (file != null && !bodies.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "give bodies or --file, not both");
    }
    if (lines && file == null) {
      throw new ParameterException(spec.commandLine(), "--lines goes with --file");
    }
    return ClientRun.run(spec, cluster, this::produce);
  }

  private void produce(MetaqClient client, Interruption interruption) {
    Message template = template();
    PrintWriter out = spec.commandLine().getOut();
    Sender sender = new Sender(client, receipt -> print(out, receipt));
    try {
      sendAll(template, sender, interruption);
    } finally {
      progress.clear(spec.commandLine().getErr());
    }
  }

  private void sendAll(Message template, Sender sender, Interruption interruption) {
    if (bodies.isEmpty()) {
      sendInput(template, sender, interruption);
    } else {
      bodies.forEach(body -> sender.send(template.body(body)));
    }
    sender.finish();
  }

  private void sendInput(Message template, Sender sender, Interruption interruption) {
    try (BodyFeed feed = input()) {
      while (!interruption.requested() && !feed.ended()) {
        byte[] body = feed.poll();
        if (body == null) {
          // Told now, and not when the next line is typed.
          sender.throwFailure();
        } else {
          sender.send(template.body(body));
        }
        progress.show(spec.commandLine().getErr(), Clock.system(), () -> sender.stored() + " messages stored");
      }
    } catch (IOException unreadable) {
      sender.finish();
      throw new CommandFailure((file == null ? "standard input" : "the file " + file) + " cannot be read: " + IoReason.of(unreadable));
    }
  }

  private BodyFeed input() {
    if (file == null) {
      return BodyFeed.lines(() -> System.in);
    }
    return lines ? BodyFeed.lines(() -> Files.newInputStream(file)) : BodyFeed.whole(() -> Files.newInputStream(file));
  }

  private Message template() {
    Message message = Message.to(topic);
    if (tag != null) {
      message = message.tag(tag);
    }
    for (String key : keys) {
      message = message.key(key);
    }
    for (Map.Entry<String, String> property : properties.entrySet()) {
      message = message.property(property.getKey(), property.getValue());
    }
    return message;
  }

  /** Called on the client's thread, one at a time. */
  private void print(PrintWriter out, SendReceipt receipt) {
    if (!quiet) {
      StandardOutput.println(out,
          receipt.stage() + " " + receipt.broker() + "/" + receipt.queueId() + "@" + receipt.queueOffset() + " " + receipt.messageId());
    }
  }
}
