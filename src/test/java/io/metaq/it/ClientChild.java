package io.metaq.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.metaq.client.Credentials;
import io.metaq.client.Delivery;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.MetaqException;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.metaq.client.TransactionProducer;
import io.metaq.client.Verdict;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * MetaQ's client in a process of its own, so that it can talk to official clients, whose Netty is another one. It takes the classes
 * of the packaged jar. What it does is a word of its command line; what happens it prints, one line each.
 */
public final class ClientChild implements AutoCloseable {
  /** Answers each request with {@code reply to} its body. */
  public static final String ANSWER = "answer";

  /** Asks once, and prints the answer. */
  public static final String ASK = "ask";

  /** Sends four transactions whose bodies say what becomes of them, and answers brokers that ask. */
  public static final String TRANSACTIONS = "transactions";

  /** Sends a list of 100 messages, and a long one. */
  public static final String SEND = "send";

  /** Prints the text of each message. */
  public static final String READ = "read";

  /** Prints the text of each message, as the member of a group. */
  public static final String CONSUME = "consume";

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Process process;
  private final Path out;

  private ClientChild(Process process, Path out) {
    this.process = process;
    this.out = out;
  }

  /** Starts one. */
  public static ClientChild start(String what, String namesrv, String topic, String text) throws IOException {
    return start(List.of(), what, namesrv, topic, text);
  }

  /**
   * Starts one with further arguments of its JVM: {@code child.trust}, a certificate of servers that speak TLS, {@code child.user} and
   * {@code child.secret} are for its options.
   */
  public static ClientChild start(List<String> jvm, String what, String namesrv, String topic, String text) throws IOException {
    Path logs = Files.createDirectories(Path.of("target", "it-logs"));
    Path out = Files.createTempFile(logs, "client-", ".out");
    String classes = System.getProperty("metaq.jar", "target/metaq.jar") + ":target/test-classes";
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m"));
    command.addAll(jvm);
    command.addAll(List.of("-cp", classes, ClientChild.class.getName(), what, namesrv, topic, text));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    process.getOutputStream().close();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new ClientChild(process, out);
  }

  /** Waits until it has printed a line. */
  public void await(String line) throws Exception {
    try {
      Await.until("the line " + line, LIMIT, () -> lines().contains(line));
    } catch (AssertionError missing) {
      throw new AssertionError(missing.getMessage() + ", but " + lines(), missing);
    }
  }

  /** What it has printed. */
  public List<String> lines() throws IOException {
    return Files.readAllLines(out);
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  public static void main(String[] args) {
    MetaqClient client = MetaqClient.create(Vertx.vertx(), Secured.options(args[1]));
    String topic = args[2];
    String text = args[3];
    try {
      act(client, args[0], topic, text);
    } catch (MetaqException failure) {
      say("failed " + failure.reason());
      failure.printStackTrace();
    }
  }

  /** A class of its own: where this one is only asked to start a child, there is no Vert.x. */
  private static final class Secured {
    private Secured() {}

    static MetaqClientOptions options(String namesrv) {
      MetaqClientOptions options = new MetaqClientOptions().setNameServers(namesrv);
      if (System.getProperty("child.trust") != null) {
        options.setTls(true).setTrust(new PemTrustOptions().addCertPath(System.getProperty("child.trust")));
      }
      if (System.getProperty("child.user") != null) {
        options.setCredentials(new Credentials(System.getProperty("child.user"), System.getProperty("child.secret")));
      }
      return options;
    }
  }

  private static void act(MetaqClient client, String what, String topic, String text) {
    switch (what) {
      case ANSWER -> answer(client, topic);
      case ASK -> say(client.request(Message.to(topic).body(text), LIMIT).await().atMost(LIMIT).text());
      case TRANSACTIONS -> transactions(client, topic, text);
      case SEND -> send(client, topic);
      case READ -> read(client, Subscription.to(topic));
      case CONSUME -> read(client, Subscription.to(topic).group(text));
      default -> throw new IllegalArgumentException(what);
    }
  }

  private static void answer(MetaqClient client, String topic) {
    client.send(Message.to(topic).body("makes the topic")).await().atMost(LIMIT);
    client
        .subscribe(Subscription.to(topic).group("answering-" + topic).from(Position.EARLIEST))
        .onItem()
        .transformToUniAndConcatenate(delivery ->
            delivery.message().property("CORRELATION_ID").isEmpty() ? delivery.ack() : reply(client, delivery))
        .subscribe()
        .with(done -> {}, Throwable::printStackTrace);
    say("ready");
  }

  private static Uni<Void> reply(MetaqClient client, Delivery delivery) {
    return client
        .reply(Message.replyTo(delivery.message()).body("reply to " + delivery.message().text()).property("own", "kept"))
        .onFailure()
        .recoverWithUni(failure -> {
          say("refused " + failure.getMessage());
          return Uni.createFrom().voidItem();
        })
        .chain(delivery::ack);
  }

  private static void transactions(MetaqClient client, String topic, String group) {
    TransactionProducer producer = client.transaction(group, message -> {
      say("asked " + message.text());
      return Uni.createFrom().item(message.text().startsWith("commit") ? Verdict.COMMIT : Verdict.ROLLBACK);
    });
    for (String body : List.of("commit now", "rollback now", "commit later", "rollback later")) {
      Verdict verdict = body.endsWith("later") ? Verdict.UNKNOWN : body.startsWith("commit") ? Verdict.COMMIT : Verdict.ROLLBACK;
      Message plain = Message.to(topic).body(body);
      // However long the way of its verdict takes, nobody is to ask meanwhile.
      Message message = verdict == Verdict.UNKNOWN ? plain : plain.property("CHECK_IMMUNITY_TIME_IN_SECONDS", "60");
      boolean confirmed =
          producer.send(message, half -> Uni.createFrom().item(verdict)).await().atMost(LIMIT).confirmed();
      say(body + (confirmed ? " confirmed" : " open"));
    }
    say("ready");
  }

  private static void send(MetaqClient client, String topic) {
    List<Message> messages =
        IntStream.range(0, 100).mapToObj(i -> Message.to(topic).body("m" + i).key("k" + i).tag("t" + i % 2).property("own", "v" + i)).toList();
    client.sendAll(messages).await().atMost(LIMIT).forEach(receipt -> say(receipt.messageId() + " " + receipt.offsetMessageId()));
    client.send(Message.to(topic).body("long ".repeat(2000))).await().atMost(LIMIT);
    say("ready");
  }

  private static void read(MetaqClient client, Subscription subscription) {
    client
        .subscribe(subscription.from(Position.EARLIEST))
        .onItem()
        .transformToUniAndConcatenate(delivery -> delivery.ack().invoke(() -> say(delivery.message().text())))
        .subscribe()
        .with(done -> {}, Throwable::printStackTrace);
  }

  private static void say(String line) {
    System.out.write((line + "\n").getBytes(UTF_8), 0, (line + "\n").getBytes(UTF_8).length);
    System.out.flush();
  }
}
