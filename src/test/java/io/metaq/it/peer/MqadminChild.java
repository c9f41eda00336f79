package io.metaq.it.peer;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process that runs commands of the official mqadmin one after the other, for a JVM for each would take minutes. Reads them from a
 * file, one a line; writes what each printed to another. The id that {@code sendMessage} prints replaces
 * {@code {msgId}} in later commands.
 */
final class MqadminChild {
  static final String END = "== end";

  private MqadminChild() {
  }

  public static void main(String[] args) throws Exception {
    Method tool = Class.forName("org.apache.rocketmq.tools.command.MQAdminStartup")
        .getMethod("main0", String[].class, Class.forName("org.apache.rocketmq.remoting.RPCHook"));
    StringBuilder report = new StringBuilder();
    String lastMessage = "none";
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
      System.setOut(out);
      System.setErr(out);
      // For a command that ends the process.
      Files.writeString(Path.of(args[1]), report + "at " + line + "\n");
      tool.invoke(null, line.replace("{msgId}", lastMessage).split(" "), null);
      String text = printed.toString(StandardCharsets.UTF_8);
      lastMessage = messageIn(text, lastMessage);
      report.append(text.endsWith("\n") || text.isEmpty() ? text : text + "\n").append(END).append('\n');
    }
    Files.writeString(Path.of(args[1]), report);
    System.exit(0);
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
