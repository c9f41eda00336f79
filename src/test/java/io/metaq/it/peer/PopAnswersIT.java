package io.metaq.it.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Pops;
import io.metaq.it.Pops.Popped;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What pops, acknowledgements and recalls are answered with, right ones and wrong ones, ours beside an official broker. */
@Execution(ExecutionMode.CONCURRENT)
class PopAnswersIT {
  private static final int UPDATE_GROUP = 200;
  private static final int RESET = 222;
  private static final int DELETE_TOPIC = 215;
  private static final int FORBIDDEN = 353;
  private static final int RECALL = 370;
  private static final long LONG_MS = 60_000;
  private static final long SOON_MS = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Where ours differs on purpose: the row, and why. */
  private static final Map<String, String> OWN = Map.of(
      "unordered pop of what was popped in order", "the official broker gives the messages out a second time",
      "pop of no message", "the official broker takes the number and waits in vain",
      "pop of fewer than none", "the official broker takes the number and waits in vain",
      "pop that is invisible for ever", "the official broker gives a message that nobody gets again",
      "pop that is invisible for less than no time", "the official broker gives a message that everybody gets",
      "change to less than no time", "the official broker takes it, and everybody gets the message",
      "change for ever", "the official broker takes it, and nobody gets the message again");

  @TempDir
  private Path folder;

  @Test
  void shouldAnswerAsTheOfficialBrokerDoes() throws Exception {
    Map<String, String> ours;
    Map<String, String> official;
    try (BrokerProcess metaq = BrokerProcess.standalone(folder.resolve("ours")).key("brokerClusterName", "PeerCluster")
        .key("brokerName", "peer-broker").key("recallMessageEnable", "true").start();
        OfficialServer peer = OfficialServer.broker(folder.resolve("peer"), metaq.namesrv(), "recallMessageEnable=true")) {
      ours = answers(metaq.brokerPort());
      official = answers(peer.port());
    }

    Map<String, String> differences = new LinkedHashMap<>();
    ours.forEach((row, answer) -> {
      if (!answer.equals(official.get(row)) && !OWN.containsKey(row)) {
        differences.put(row, "ours " + answer + ", theirs " + official.get(row));
      }
    });
    assertThat(differences).isEmpty();
    assertThat(OWN.keySet()).allSatisfy(row -> assertThat(ours.get(row)).as(row).isNotEqualTo(official.get(row)));
  }

  private static Map<String, String> answers(int port) throws Exception {
    Map<String, String> answers = new LinkedHashMap<>();
    try (RawClient client = RawClient.connect(port)) {
      numbers(client, answers);
      order(client, answers);
      acknowledgements(client, answers);
      forbidden(client, answers);
      aGroupIsMovedWhileItPops(client, answers);
      recalls(client, answers);
    }
    return answers;
  }

  private static void numbers(RawClient client, Map<String, String> answers) throws Exception {
    String topic = filled(client, "numbers", "m0");
    answers.put("pop of too many", code(client, pop("numbers", topic).ext("maxMsgNums", 33)));
    answers.put("pop of far too many", code(client, pop("numbers", topic).ext("maxMsgNums", Integer.MAX_VALUE)));
    answers.put("pop of no message", code(client, pop("numbers", topic).ext("maxMsgNums", 0)));
    answers.put("pop of fewer than none", code(client, pop("numbers", topic).ext("maxMsgNums", -1)));
    answers.put("pop from a queue that is not there", code(client, pop("numbers", topic).ext("queueId", 99)));
    answers.put("pop of an unknown topic", code(client, pop("numbers", topic).ext("topic", "nothing")));
    answers.put("pop that is too old", code(client, pop("numbers", topic).ext("bornTime", 1)));
    answers.put("pop that is invisible for less than no time", code(client, pop("past", topic).ext("invisibleTime", -1)));
    answers.put("pop that is invisible for ever", code(client, pop("ever", topic).ext("invisibleTime", Long.MAX_VALUE)));
    Popped popped = await(client, "changes", topic, LONG_MS).get(0);
    answers.put("change to less than no time", code(client, popped.changeInvisible(-1)));
    Popped another = await(client, "others", topic, LONG_MS).get(0);
    answers.put("change for ever", code(client, another.changeInvisible(Long.MAX_VALUE)));
  }

  private static void order(RawClient client, Map<String, String> answers) throws Exception {
    String topic = filled(client, "order", "m0", "m1", "m2");
    RawFrame inOrder = pop("order", topic).ext("order", true).ext("maxMsgNums", 2);
    List<Popped> first = Pops.read("order", topic, client.call(inOrder.ext("attemptId", "one")));
    answers.put("ordered pop", texts(first));
    answers.put("ordered pop of another attempt", code(client, inOrder.ext("attemptId", "two")));
    answers.put("the same attempt again", texts(Pops.read("order", topic, client.call(inOrder.ext("attemptId", "one")))));
    answers.put("unordered pop of what was popped in order",
        texts(Pops.read("order", topic, client.call(pop("order", topic)))));

    String mixed = filled(client, "mixed", "m0", "m1", "m2");
    List<Popped> unordered = Pops.read("mixed", mixed, client.call(pop("mixed", mixed).ext("maxMsgNums", 2)));
    answers.put("unordered pop", texts(unordered));
    answers.put("ordered pop behind an unordered one", texts(Pops.read("mixed", mixed,
        client.call(pop("mixed", mixed).ext("order", true).ext("attemptId", "one")))));
  }

  private static void acknowledgements(RawClient client, Map<String, String> answers) throws Exception {
    String topic = filled(client, "acks", "m0", "m1", "m2");
    List<Popped> popped = await(client, "acks", topic, LONG_MS);
    Popped first = popped.get(0);
    answers.put("acknowledgement by a forged handle", code(client, first.ack().ext("extraInfo", "forged")));
    answers.put("acknowledgement by a handle of other numbers", code(client, first.ack().ext("extraInfo", "a b c d e f g h")));
    answers.put("acknowledgement by half a handle", code(client, first.ack().ext("extraInfo", "0 1700000000000 60000")));
    answers.put("acknowledgement in an unknown topic", code(client, first.ack().ext("topic", "nothing")));
    answers.put("acknowledgement in a queue that is not there", code(client, first.ack().ext("queueId", 99)));
    answers.put("acknowledgement of what was never stored", code(client, first.ack().ext("offset", 99)));
    answers.put("acknowledgement", code(client, first.ack()));
    answers.put("acknowledgement once more", code(client, first.ack()));
    answers.put("acknowledgement by a stranger", code(client, popped.get(1).ack().ext("consumerGroup", "strangers")));
    RawFrame changed = client.call(popped.get(1).changeInvisible(2 * LONG_MS));
    answers.put("change", Integer.toString(changed.code()));
    answers.put("acknowledgement by the renewed handle", code(client, popped.get(1).renewed(changed).ack()));
    answers.put("nothing acknowledged at once", code(client, RawFrame.request(Pops.BATCH_ACK).body("{}".getBytes(UTF_8))));
    answers.put("no JSON", code(client, RawFrame.request(Pops.BATCH_ACK).body("no JSON".getBytes(UTF_8))));
  }

  private static void forbidden(RawClient client, Map<String, String> answers) throws Exception {
    String topic = filled(client, "banned", "m0");
    client.call(RawFrame.request(UPDATE_GROUP).body("{\"groupName\":\"banned\"}".getBytes(UTF_8)));
    client.call(RawFrame.request(FORBIDDEN).ext("group", "banned").ext("topic", topic).ext("readable", false));
    answers.put("pop of a topic that the group is forbidden", texts(Pops.read("banned", topic,
        client.call(pop("banned", topic)))));
    client.call(RawFrame.request(UPDATE_GROUP).body("{\"groupName\":\"banned\",\"consumeEnable\":false}".getBytes(UTF_8)));
    answers.put("pop of a group that is switched off", code(client, pop("banned", topic)));
    client.call(RawFrame.request(DELETE_TOPIC).ext("topic", topic));
    answers.put("pop of a topic that was deleted", code(client, pop("others", topic)));
  }

  private static void aGroupIsMovedWhileItPops(RawClient client, Map<String, String> answers) throws Exception {
    String topic = filled(client, "moved", "m0", "m1", "m2");
    List<Popped> popped = await(client, "moved", topic, LONG_MS);
    answers.put("pop before the reset", texts(popped));
    answers.put("reset", code(client, RawFrame.request(RESET).ext("group", "moved").ext("topic", topic).ext("timestamp", 0)
        .ext("isForce", true).ext("queueId", 0).ext("offset", 1)));
    answers.put("pop after the reset", texts(await(client, "moved", topic, LONG_MS)));
    answers.put("acknowledgement of what was popped before the reset", code(client, popped.get(0).ack()));
  }

  private static void recalls(RawClient client, Map<String, String> answers) throws Exception {
    String topic = filled(client, "recalls", "m0");
    String handle = later(client, topic, "late", 3 * LONG_MS);
    answers.put("recall", code(client, recall(topic, handle)));
    answers.put("recall once more", code(client, recall(topic, handle)));
    answers.put("recall for another topic", code(client, recall("nothing", handle)));
    answers.put("recall by no handle at all", code(client, recall(topic, "forged")));
    answers.put("recall by a handle of an unknown version", code(client, recall(topic, encoded("v9 " + topic + " peer-broker 1 k"))));
    answers.put("recall of what was due long ago", code(client, recall(topic, encoded("v1 " + topic + " peer-broker 1000 k"))));
    answers.put("recall of what is due never", code(client, recall(topic, encoded("v1 " + topic + " peer-broker " + Long.MAX_VALUE + " k"))));
    answers.put("recall by a handle without a number", code(client, recall(topic, encoded("v1 " + topic + " peer-broker x k"))));
    answers.put("recall by a handle of another broker", code(client,
        recall(topic, encoded("v1 " + topic + " elsewhere " + (System.currentTimeMillis() + LONG_MS) + " k"))));
    String delivered = later(client, topic, "soon", 2 * SOON_MS);
    Queues.awaitEnd(client, topic, 0, 2);
    answers.put("recall of a delivered message", code(client, recall(topic, delivered)));
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** Sends a message for later; its recall handle. */
  private static String later(RawClient client, String topic, String key, long delayMs) throws IOException {
    RawFrame sent = client.call(Requests.send(topic, 0, key.getBytes(UTF_8),
        Map.of("UNIQ_KEY", key, "TIMER_DELIVER_MS", Long.toString(System.currentTimeMillis() + delayMs))));
    assertThat(sent.code()).as(sent.toString()).isZero();
    return sent.ext("recallHandle");
  }

  private static RawFrame recall(String topic, String handle) {
    return RawFrame.request(RECALL).ext("topic", topic).ext("recallHandle", handle).ext("producerGroup", "p");
  }

  private static String filled(RawClient client, String name, String... texts) throws Exception {
    String topic = "pops-" + name;
    for (String text : texts) {
      assertThat(client.call(Requests.send(topic, 0, text)).code()).isZero();
    }
    Queues.awaitEnd(client, topic, 0, texts.length);
    return topic;
  }

  /** Pops from queue 0 until there is something: an official broker that is asked at once after a change may need a moment. */
  private static List<Popped> await(RawClient client, String group, String topic, long invisibleMs) throws Exception {
    List<List<Popped>> found = new ArrayList<>();
    Await.until("something to pop of " + topic, LIMIT, () -> {
      found.add(Pops.read(group, topic, client.call(Pops.pop(group, topic, 0, invisibleMs, 0))));
      return !found.get(found.size() - 1).isEmpty();
    });
    return found.get(found.size() - 1);
  }

  private static RawFrame pop(String group, String topic) {
    return Pops.pop(group, topic, 0, LONG_MS, 0);
  }

  private static String texts(List<Popped> popped) {
    return popped.stream().map(Popped::text).toList().toString();
  }

  private static String code(RawClient client, RawFrame request) throws IOException {
    return Integer.toString(client.call(request).code());
  }
}
