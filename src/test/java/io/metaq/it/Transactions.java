package io.metaq.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The requests of a transaction, in the form the official Java clients give them. */
public final class Transactions {

  public static final int END = 37;
  public static final int CHECK = 39;
  public static final int COMMIT = 8;
  public static final int ROLLBACK = 12;

  /** The usual 15 questions are soon over where one is asked every half second, and a busy machine takes its time to answer. */
  public static final int MANY_CHECKS = 10_000;

  private static final int HEARTBEAT = 34;
  private static final int PREPARED = 4;
  private static final int ID_OF_OFFSET = 16;

  private Transactions() {
  }

  /** A broker that asks soon and goes on asking. */
  public static BrokerProcess.Launch askOften(BrokerProcess.Launch broker, int immunityMs, int intervalMs) {
    return broker.key("transactionTimeOut", immunityMs).key("transactionCheckInterval", intervalMs).key("transactionCheckMax", MANY_CHECKS);
  }

  /** A half message of the broker under test, as its answer named it. */
  public record Half(String group, long queueOffset, long phyOffset, String key) {
    /** What its producer says of it. */
    public RawFrame verdict(int state) {
      return RawFrame.request(END).ext("producerGroup", group).ext("tranStateTableOffset", queueOffset)
          .ext("commitLogOffset", phyOffset).ext("commitOrRollback", state).ext("msgId", key).ext("transactionId", key);
    }
  }

  public static RawFrame send(String group, String topic, int queueId, String key, Map<String, String> more) {
    String properties = Requests.propertiesText(Map.of("TRAN_MSG", "true", "PGROUP", group, "UNIQ_KEY", key))
        + Requests.propertiesText(more);
    return Requests.send(topic, queueId, key.getBytes(UTF_8), properties).ext("f", PREPARED);
  }

  /** Sends a half message whose body is its key. */
  public static Half half(RawClient client, String group, String topic, String key) throws IOException {
    return half(client, send(group, topic, 0, key, Map.of()), group, key);
  }

  public static Half half(RawClient client, RawFrame send, String group, String key) throws IOException {
    RawFrame answer = client.call(send);
    if (answer.code() != 0) {
      throw new AssertionError("no half message was stored: " + answer);
    }
    String id = answer.ext("msgId");
    return new Half(group, answer.number("queueOffset"), Long.parseLong(id.substring(id.length() - ID_OF_OFFSET), 16), key);
  }

  /** Makes the connection one of a producer group, so that it is asked. */
  public static void join(RawClient client, String group) throws IOException {
    String body = "{\"clientID\":\"it-" + group + "\",\"producerDataSet\":[{\"groupName\":\"" + group + "\"}],\"consumerDataSet\":[]}";
    RawFrame answer = client.call(RawFrame.request(HEARTBEAT).body(body.getBytes(UTF_8)));
    if (answer.code() != 0) {
      throw new AssertionError("no heartbeat: " + answer);
    }
  }

  /**
   * Answers every question at this connection, on a thread of its own, until the connection is closed.
   *
   * @param commits whether the message of a key is to be delivered
   * @param asked hears the key of each question
   */
  public static Thread answerAll(RawClient producer, String group, Predicate<String> commits, Consumer<String> asked) {
    Thread answers = new Thread(() -> {
      try {
        while (true) {
          Half half = question(producer, group);
          asked.accept(half.key());
          producer.send(half.verdict(commits.test(half.key()) ? COMMIT : ROLLBACK).ext("fromTransactionCheck", true).oneway());
        }
      } catch (IOException closed) {
        // The test has seen what it waited for, and closed the connection.
      }
    }, "answers of " + group);
    answers.start();
    return answers;
  }

  /** The half message that the next question at this connection means. */
  public static Half question(RawClient client, String group) throws IOException {
    RawFrame frame = client.receive();
    while (frame.code() != CHECK) {
      frame = client.receive();
    }
    return new Half(group, frame.number("tranStateTableOffset"), frame.number("commitLogOffset"), frame.ext("msgId"));
  }
}
