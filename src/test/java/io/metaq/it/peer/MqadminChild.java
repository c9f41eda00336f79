package io.metaq.it.peer;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;

/**
 * A process that runs commands of the official mqadmin one after the other, for a JVM for each would take minutes. Reads them from a
 * file, one a line; writes what each printed to another. The id that {@code sendMessage} prints replaces
 * {@code {msgId}} in later commands. {@link #CONSUME} is a command of its own: from then on a consumer runs in this process.
 */
final class MqadminChild {
  static final String END = "== end";
  /** Starts a consumer: name server, group, topic; done when it has read a message. */
  static final String CONSUME = "consume";
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private MqadminChild() {
  }

  public static void main(String[] args) throws Exception {
    Method tool = Class.forName("org.apache.rocketmq.tools.command.MQAdminStartup")
        .getMethod("main0", String[].class, Class.forName("org.apache.rocketmq.remoting.RPCHook"));
    Thread watch = new Thread(new EndOfWaits(Thread.currentThread()), "end-of-waits");
    watch.setDaemon(true);
    watch.start();
    StringBuilder report = new StringBuilder();
    String lastMessage = "none";
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
      System.setOut(out);
      System.setErr(out);
      // For a command that ends the process.
      Files.writeString(Path.of(args[1]), report + "at " + line + "\n");
      String[] words = line.replace("{msgId}", lastMessage).split(" ");
      if (words[0].equals(CONSUME)) {
        consume(words[1], words[2], words[3]);
      } else {
        tool.invoke(null, words, null);
      }
      String text = printed.toString(StandardCharsets.UTF_8);
      lastMessage = messageIn(text, lastMessage);
      report.append(text.endsWith("\n") || text.isEmpty() ? text : text + "\n").append(END).append('\n');
    }
    Files.writeString(Path.of(args[1]), report);
    System.exit(0);
  }

  /**
   * Each command ends with a thread of its client that looks only every three seconds whether it should: it is woken as soon as it is
   * waited for. Without this the commands would take three times as long.
   */
  private record EndOfWaits(Thread tool) implements Runnable {
    private static final String LATE = "NettyEventExecutor";

    @Override
    public void run() {
      while (tool.isAlive()) {
        LockSupport.parkNanos(20_000_000);
        if (Stream.of(tool.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("shutdown")
            && frame.getClassName().endsWith(".ServiceThread"))) {
          Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().contains(LATE)).forEach(Thread::interrupt);
        }
      }
    }
  }

  private static void consume(String namesrv, String group, String topic) throws Exception {
    CountDownLatch consumed = new CountDownLatch(1);
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
    consumer.setNamesrvAddr(namesrv);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, "*");
    consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
      consumed.countDown();
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });
    consumer.start();
    if (!consumed.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("nothing was consumed of " + topic);
    }
  }

  /** {@code sendMessage} prints a row whose last column is the message's id. */
  private static String messageIn(String text, String otherwise) {
    for (String line : text.lines().toList()) {
      String[] words = line.trim().split("\\s+");
      if (words.length == 4 && words[2].equals("SEND_OK")) {
        return words[3];
      }
    }
    return otherwise;
  }
}
