package io.metaq.it.peer;

import static io.metaq.it.Heartbeats.tags;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.Heartbeats;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What requests about groups, replies and batches are answered with, right ones and wrong ones, ours beside an official broker. */
@Execution(ExecutionMode.CONCURRENT)
class GroupAnswersIT {

  private static final int UPDATE_OFFSET = 15;
  private static final int UPDATE_GROUP = 200;
  private static final int RESET = 222;
  private static final int STATUS = 223;
  private static final int RUNNING_INFO = 307;
  private static final int CONSUME_DIRECTLY = 309;
  private static final int CLONE = 314;
  private static final int REPLY = 325;
  private static final int FORBIDDEN = 353;
  private static final String TOPIC = "orders";

  /** Where ours differs on purpose: the row, and why. */
  private static final Map<String, String> OWN = Map.of(
      "reset of a queue the topic does not have", "the official broker keeps an offset for it",
      "reset with a time that is no number", "the official broker takes it for 0, which reads everything again",
      "reset without a group", "the official broker says that the group null does not exist",
      "batch that is compressed as a whole", "the official broker stores messages that say they are compressed and are not");

  @TempDir
  private Path folder;

  @Test
  void shouldAnswerAsTheOfficialBrokerDoes() throws Exception {
    Map<String, String> ours;
    Map<String, String> official;
    try (BrokerProcess metaq = BrokerProcess.standalone(folder.resolve("ours")).key("brokerClusterName", "PeerCluster")
        .key("brokerName", "peer-broker").start();
        OfficialServer peer = OfficialServer.broker(folder.resolve("peer"), metaq.namesrv())) {
      ours = answers(metaq.brokerPort());
      official = answers(peer.port());
    }

    assertThat(differences(ours, official)).isEmpty();
    assertThat(OWN.keySet()).allSatisfy(row -> assertThat(ours.get(row)).isNotEqualTo(official.get(row)));
  }

  private static Map<String, String> differences(Map<String, String> ours, Map<String, String> official) {
    Map<String, String> differences = new LinkedHashMap<>();
    ours.forEach((row, answer) -> {
      if (!answer.equals(official.get(row)) && !OWN.containsKey(row)) {
        differences.put(row, "ours " + answer + ", theirs " + official.get(row));
      }
    });
    return differences;
  }

  private static Map<String, String> answers(int port) throws Exception {
    Map<String, String> answers = new LinkedHashMap<>();
    try (RawClient client = RawClient.connect(port); RawClient member = RawClient.connect(port)) {
      for (int i = 0; i < 3; i++) {
        client.call(Requests.send(TOPIC, 0, "m" + i));
      }
      Queues.readFirst(client, TOPIC, 0, 3);
      client.call(RawFrame.request(UPDATE_GROUP).body("{\"groupName\":\"stopped\"}".getBytes(UTF_8)));
      client.call(commit("stopped", 2));
      resets(client, answers);
      membersAreAsked(client, answers);
      replies(client, answers);
      batches(client, answers);
      forbidden(client, answers);
      aGroupIsMovedWhileItReads(client, member, answers);
    }
    return answers;
  }

  private static void resets(RawClient client, Map<String, String> answers) throws IOException {
    answers.put("reset of an unknown topic", code(client, reset("stopped", "nothing", 0)));
    answers.put("reset of an unknown group", code(client, reset("nobody", TOPIC, 0)));
    answers.put("reset of a queue the topic does not have", code(client, reset("stopped", TOPIC, 0).ext("queueId", 99).ext("offset", 1)));
    answers.put("reset beyond the end", code(client, reset("stopped", TOPIC, 0).ext("queueId", 0).ext("offset", 9)));
    answers.put("reset to a negative offset", code(client, reset("stopped", TOPIC, 0).ext("queueId", 0).ext("offset", -5)));
    answers.put("reset without a group", code(client, reset("stopped", TOPIC, 0).without("group")));
    answers.put("reset with a time that is no number", code(client, reset("stopped", TOPIC, 0).ext("timestamp", "now")));
    answers.put("reset to the beginning", moved(client, 0));
    answers.put("reset to the end", moved(client, -1));
    answers.put("reset to another time before 1970", moved(client, -86_400_000));
    answers.put("reset to the future", moved(client, System.currentTimeMillis() + 86_400_000));
    answers.put("clone", code(client, RawFrame.request(CLONE).ext("srcGroup", "stopped").ext("destGroup", "copy").ext("topic", TOPIC)
        .ext("offline", true)));
    answers.put("clone of an unknown group", code(client, RawFrame.request(CLONE).ext("srcGroup", "nobody").ext("destGroup", "copy")
        .ext("topic", TOPIC).ext("offline", true)));
    answers.put("commit to an unknown topic", code(client, commit("stopped", 1).ext("topic", "nothing")));
  }

  private static void membersAreAsked(RawClient client, Map<String, String> answers) throws IOException {
    RawFrame asked = RawFrame.request(RUNNING_INFO).ext("consumerGroup", "nobody").ext("clientId", "c").ext("jstackEnable", false);
    answers.put("running info of nobody", answer(client, asked));
    answers.put("running info without a client id", code(client, asked.without("clientId")));
    RawFrame given = RawFrame.request(CONSUME_DIRECTLY).ext("consumerGroup", "nobody").ext("clientId", "c")
        .ext("msgId", "7F00000100002A9F0000000000000000");
    answers.put("consume directly by nobody", answer(client, given));
    answers.put("status of a group without members", code(client, RawFrame.request(STATUS).ext("group", "nobody").ext("topic", TOPIC)));
  }

  private static void replies(RawClient client, Map<String, String> answers) throws IOException {
    answers.put("reply to nobody", answer(client, reply("REPLY_TO_CLIENT\u0001gone\u0002")));
    answers.put("reply without an addressee", code(client, reply("KEYS\u0001k\u0002")));
    answers.put("reply to a queue that is not there", code(client, reply("REPLY_TO_CLIENT\u0001gone\u0002").ext("e", 99)));
    answers.put("reply under an impossible name", code(client, reply("REPLY_TO_CLIENT\u0001gone\u0002").ext("b", "a b")));
    answers.put("reply to a closed topic", code(client, reply("REPLY_TO_CLIENT\u0001gone\u0002").ext("b", "SCHEDULE_TOPIC_XXXX")));
  }

  private static void batches(RawClient client, Map<String, String> answers) throws IOException {
    byte[] body = Requests.batchBody(List.of("a".getBytes(UTF_8), "b".getBytes(UTF_8)));
    client.call(Heartbeats.consumer("c", "batches", tags(TOPIC)));
    answers.put("batch", code(client, Requests.batch(TOPIC, 1, body)));
    answers.put("batch to a retry topic", code(client, Requests.batch("%RETRY%batches", 0, body)));
    answers.put("batch to a dead-letter topic", code(client, Requests.batch("%DLQ%batches", 0, body)));
    answers.put("batch to a topic of 128 characters", code(client, Requests.batch("x".repeat(128), 0, body)));
    answers.put("batch with properties of its own", code(client, Requests.batch(TOPIC, 1, body).ext("i", "KEYS\u0001k\u0002")));
    answers.put("batch that is compressed as a whole", code(client, Requests.batch(TOPIC, 1, body).ext("f", 1)));
    answers.put("batch that is delayed as a whole", code(client, Requests.batch(TOPIC, 1, body).ext("i", "DELAY\u00011\u0002")));
    answers.put("batch to a queue that is not there", code(client, Requests.batch(TOPIC, 99, body)));
  }

  private static void forbidden(RawClient client, Map<String, String> answers) throws IOException {
    client.call(Heartbeats.consumer("c", "banned", tags(TOPIC)));
    RawFrame asked = RawFrame.request(FORBIDDEN).ext("group", "banned").ext("topic", TOPIC);
    answers.put("asked whether it is forbidden", answer(client, asked));
    answers.put("forbid", answer(client, asked.ext("readable", false)));
    answers.put("pull of what is forbidden", code(client, pull("banned", 0)));
    answers.put("permit", answer(client, asked.ext("readable", true)));
    answers.put("pull of what is permitted", code(client, pull("banned", 0)));
    client.call(RawFrame.request(UPDATE_GROUP).body("{\"groupName\":\"banned\",\"consumeEnable\":false}".getBytes(UTF_8)));
    answers.put("pull of a group that is switched off", code(client, pull("banned", 0)));
  }

  private static void aGroupIsMovedWhileItReads(RawClient client, RawClient member, Map<String, String> answers) throws IOException {
    member.call(Heartbeats.consumer("m", "running", tags(TOPIC)));
    member.call(commit("running", 3));
    answers.put("reset of a group that runs", code(client, reset("running", TOPIC, 0)));
    answers.put("commit before the member knows", code(client, commit("running", 3)));
    answers.put("offset before the member knows", client.call(Requests.committedOffset("running", TOPIC, 0)).ext("offset"));
    // By another connection, whose loop hears of the reset a moment after the one that answered it: this answer comes behind that.
    member.call(Requests.committedOffset("running", TOPIC, 0));
    RawFrame sent = member.call(pull("running", 3));
    answers.put("pull after the reset", sent.code() + " to " + sent.ext("nextBeginOffset"));
    answers.put("pull after that", code(member, pull("running", 3)));
    answers.put("commit after that", code(member, commit("running", 2)));
    answers.put("offset after that", client.call(Requests.committedOffset("running", TOPIC, 0)).ext("offset"));
  }

  private static String code(RawClient client, RawFrame request) throws IOException {
    return Integer.toString(client.call(request).code());
  }

  /** With the words or the body; no words are as good as none. */
  private static String answer(RawClient client, RawFrame request) throws IOException {
    RawFrame answer = client.call(request);
    String words = answer.remark() == null ? "" : answer.remark();
    return answer.code() + " " + words + " " + new String(answer.body(), UTF_8);
  }

  private static String moved(RawClient client, long timestampMs) throws IOException {
    String code = code(client, reset("stopped", TOPIC, timestampMs));
    return code + " to " + client.call(Requests.committedOffset("stopped", TOPIC, 0)).ext("offset");
  }

  private static RawFrame reset(String group, String topic, long timestampMs) {
    return RawFrame.request(RESET).ext("group", group).ext("topic", topic).ext("timestamp", timestampMs).ext("isForce", true)
        .ext("queueId", -1);
  }

  private static RawFrame commit(String group, long queueOffset) {
    return RawFrame.request(UPDATE_OFFSET).ext("consumerGroup", group).ext("topic", TOPIC).ext("queueId", 0)
        .ext("commitOffset", queueOffset);
  }

  private static RawFrame pull(String group, long queueOffset) {
    return Requests.pull(TOPIC, 0, queueOffset, 32, 0).ext("consumerGroup", group).ext("sysFlag", 0).ext("subVersion", 1);
  }

  private static RawFrame reply(String properties) {
    return Requests.send("PeerCluster_REPLY_TOPIC", 0, "pong".getBytes(UTF_8), properties).withCode(REPLY);
  }
}
