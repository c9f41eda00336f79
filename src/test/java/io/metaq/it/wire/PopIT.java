package io.metaq.it.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.InTime;
import io.metaq.it.Pops;
import io.metaq.it.Pops.Popped;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pops frame by frame, also wrong ones. */
@ExtendWith(SharedServer.class)
class PopIT {

  private static final int SUCCESS = 0;
  private static final int SYSTEM_ERROR = 1;
  private static final int NO_PERMISSION = 16;
  private static final int PULL_NOT_FOUND = 19;
  private static final int INVALID_PARAMETER = 29;
  private static final int NO_MESSAGE = 208;
  private static final int POLLING_TIMEOUT = 210;
  private static final int UPDATE_GROUP = 200;
  private static final int SEND_BACK = 36;
  private static final long LONG_MS = 60_000;
  private static final long SHORT_MS = 2_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Server server;
  private String topic = Queues.freshName("popped");
  private String group = Queues.freshName("workers");
  private RawClient client;
  private String left;

  PopIT(Server server) {
    this.server = server;
  }

  @BeforeEach
  void connect() throws Exception {
    client = RawClient.connect(server.brokerPort());
  }

  @AfterEach
  void close() throws Exception {
    client.close();
  }

  @Test
  void shouldGiveEachMessageOnceUntilItIsVisibleAgain() throws Exception {
    List<Popped> popped = new ArrayList<>();
    InTime.run(Duration.ofMillis(SHORT_MS), () -> {
      anew();
      popped.clear();
      send(0, "m0");
      send(1, "m1");
      popped.addAll(popAll(2, SHORT_MS));
      assertThat(popped).extracting(Popped::text).containsExactlyInAnyOrder("m0", "m1");
      assertThat(Pops.popNow(client, group, topic, LONG_MS)).isEmpty();
      assertThat(client.call(popped.get(0).ack()).code()).isEqualTo(SUCCESS);
    });
    List<Popped> again = popAll(1, LONG_MS);

    assertThat(again).extracting(Popped::text).containsExactly(popped.get(1).text());
    assertThat(again.get(0).handle().split(" ")[4]).isEqualTo("1");
    assertThat(again.get(0).record().reconsumeTimes()).isEqualTo(1);
    assertThat(again.get(0).record().properties()).containsEntry("RETRY_TOPIC", topic).containsKey("1ST_POP_TIME");
    assertThat(client.call(again.get(0).ack()).code()).isEqualTo(SUCCESS);
  }

  @Test
  void shouldHoldAPopUntilAMessageComes() throws Exception {
    send(0, "first");
    popAll(1, LONG_MS);

    int waiting = client.send(Pops.pop(group, topic, Pops.ANY_QUEUE, LONG_MS, 20_000));
    try (RawClient other = RawClient.connect(server.brokerPort())) {
      Await.until("the pop waits", LIMIT, () -> other.call(RawFrame.request(Pops.POLLING_INFO).ext("consumerGroup", group)
          .ext("topic", topic).ext("queueId", Pops.ANY_QUEUE)).number("pollingNum") == 1);
      other.call(Requests.send(topic, 1, "second"));
    }

    assertThat(Pops.read(group, topic, client.await(waiting))).extracting(Popped::text).containsExactly("second");
  }

  @Test
  void shouldTimeOutAPopThatWaitsInVain() throws Exception {
    send(0, "m");
    popAll(1, LONG_MS);

    RawFrame answer = client.call(Pops.pop(group, topic, 0, LONG_MS, 300));

    assertThat(answer.code()).as(answer.toString()).isEqualTo(POLLING_TIMEOUT);
  }

  @Test
  void shouldMoveTheTimeAMessageIsInvisibleAndThenKnowItByItsNewHandle() throws Exception {
    send(0, "m");
    Popped popped = popAll(1, LONG_MS / 2).get(0);

    RawFrame changed = client.call(popped.changeInvisible(LONG_MS));
    assertThat(changed.code()).as(changed.toString()).isEqualTo(SUCCESS);
    assertThat(changed.number("invisibleTime")).isEqualTo(LONG_MS);
    assertThat(changed.number("popTime")).isGreaterThanOrEqualTo(Long.parseLong(popped.handle().split(" ")[1]));
    Popped renewed = popped.renewed(changed);
    RawFrame sooner = client.call(renewed.changeInvisible(100));
    assertThat(sooner.code()).isEqualTo(SUCCESS);

    assertThat(popAll(1, LONG_MS)).extracting(Popped::text).containsExactly("m");
  }

  @Test
  void shouldAcknowledgeManyAtOnce() throws Exception {
    InTime.run(Duration.ofMillis(SHORT_MS), () -> {
      anew();
      for (int i = 0; i < 4; i++) {
        send(0, "m" + i);
      }
      Queues.awaitEnd(client, topic, 0, 4);
      RawFrame answer = acknowledgeAllButTheThird(popAll(4, SHORT_MS));

      assertThat(answer.code()).as(answer.toString()).isEqualTo(SUCCESS);
    });
    assertThat(popAll(1, LONG_MS)).extracting(Popped::text).containsExactly("m2");
  }

  /** Entries of other queues and topics, of an older pop, and such as were never popped, do what each is good for. */
  @Test
  void shouldCarryOutEachEntryOfABatchByItself() throws Exception {
    String other = Queues.freshName("popped");
    InTime.run(Duration.ofMillis(SHORT_MS), () -> {
      anew();
      send(0, "m0");
      send(1, "m1");
      send(2, "m2");
      List<Popped> popped = popAll(3, SHORT_MS);
      StringBuilder body = new StringBuilder("{\"brokerName\":\"b\",\"acks\":[");
      body.append(entry(other, 0, popped.get(0).handle())).append(',');
      body.append(entry(topic, 99, popped.get(0).handle())).append(',');
      body.append(entry(topic, -1, popped.get(0).handle())).append(',');
      body.append(entry(topic, popped.get(2).queueId(), "0 1700000000000 60000 0")).append(',');
      for (Popped acknowledged : popped.subList(0, 2)) {
        body.append(entry(topic, acknowledged.queueId(), acknowledged.handle())).append(',');
      }
      body.setLength(body.length() - 1);
      RawFrame answer = client.call(RawFrame.request(Pops.BATCH_ACK).body(body.append("]}").toString().getBytes(UTF_8)));

      assertThat(answer.code()).as(answer.toString()).isEqualTo(SUCCESS);
      left = popped.get(2).text();
    });
    assertThat(popAll(1, LONG_MS)).extracting(Popped::text).containsExactly(left);
    assertThat(Pops.popNow(client, group, topic, LONG_MS)).isEmpty();
  }

  private String entry(String ofTopic, int queueId, String popHandle) {
    String[] handle = popHandle.split(" ");
    return "{\"c\":\"" + group + "\",\"t\":\"" + ofTopic + "\",\"r\":\"0\",\"so\":" + handle[0] + ",\"q\":" + queueId + ",\"rq\":"
        + handle[3] + ",\"pt\":" + handle[1] + ",\"it\":" + handle[2] + ",\"b\":\""
        + Base64.getEncoder().encodeToString(new byte[] {1}) + "\"}";
  }

  /** Its message is somebody else's by then. */
  @Test
  void shouldNotLetAHandleDoAnythingWhenItsTimeIsOver() throws Exception {
    assumeTrue(server.isMetaq(), "the reference takes the change, and the message comes twice");
    send(0, "m");
    Popped old = popAll(1, SHORT_MS).get(0);
    Popped again = popAll(1, LONG_MS).get(0);

    assertCode(client.call(old.changeInvisible(1)), NO_MESSAGE);
    assertCode(client.call(old.ack()), SUCCESS);
    assertThat(Pops.popNow(client, group, topic, LONG_MS)).isEmpty();
    assertCode(client.call(again.changeInvisible(1)), SUCCESS);

    assertThat(popAll(1, LONG_MS)).extracting(Popped::text).containsExactly("m");
  }

  private RawFrame acknowledgeAllButTheThird(List<Popped> popped) throws IOException {
    String[] handle = popped.get(0).handle().split(" ");
    String body = "{\"brokerName\":\"b\",\"acks\":[{\"c\":\"" + group + "\",\"t\":\"" + topic + "\",\"r\":\"0\",\"so\":" + handle[0]
        + ",\"q\":0,\"rq\":" + handle[3] + ",\"pt\":" + handle[1] + ",\"it\":" + handle[2] + ",\"b\":\""
        + Base64.getEncoder().encodeToString(new byte[] {0b1011}) + "\"}]}";
    return client.call(RawFrame.request(Pops.BATCH_ACK).body(body.getBytes(UTF_8)));
  }

  /** As a proxy does when a message was delivered too often: RocketMQ's broker never does it by itself. */
  @Test
  void shouldMoveAPoppedMessageToTheDeadLetters() throws Exception {
    send(0, "m");
    Popped popped = popAll(1, LONG_MS).get(0);

    RawFrame sentBack = client.call(RawFrame.request(SEND_BACK).ext("group", group).ext("offset", popped.record().phyOffset())
        .ext("delayLevel", -1).ext("originMsgId", "").ext("originTopic", topic).ext("unitMode", false));
    assertThat(sentBack.code()).as(sentBack.toString()).isEqualTo(SUCCESS);
    assertThat(client.call(popped.ack()).code()).isEqualTo(SUCCESS);

    assertThat(Queues.readFirst(client, "%DLQ%" + group, 0, 1)).extracting(record -> record.text()).containsExactly("m");
  }

  @Test
  void shouldPopInOrder() throws Exception {
    send(0, "m0");
    send(0, "m1");
    RawFrame pop = Pops.pop(group, topic, 0, LONG_MS, 0).ext("order", true).ext("maxMsgNums", 1);
    Await.until("the message is there", LIMIT, () -> client.call(Requests.maxOffset(topic, 0)).number("offset") == 2);

    RawFrame first = client.call(pop.ext("attemptId", "one"));
    Popped popped = Pops.read(group, topic, first).get(0);
    assertThat(popped.text()).isEqualTo("m0");
    assertThat(first.ext("reviveQid")).isEqualTo("999");
    assertThat(first.ext("orderCountInfo")).isEqualTo("0 0 0");
    assertThat(client.call(pop.ext("attemptId", "two")).code()).isEqualTo(POLLING_TIMEOUT);
    assertThat(Pops.read(group, topic, client.call(pop.ext("attemptId", "one")))).extracting(Popped::text).containsExactly("m0");
    popped = Pops.read(group, topic, client.call(pop.ext("attemptId", "one"))).get(0);
    assertThat(client.call(popped.ack()).code()).isEqualTo(SUCCESS);

    assertThat(Pops.read(group, topic, client.call(pop.ext("attemptId", "two")))).extracting(Popped::text).containsExactly("m1");
  }

  @Test
  void shouldSelectByTagAndBySql() throws Exception {
    client.call(Requests.send(topic, 0, "a".getBytes(UTF_8), Map.of("TAGS", "a", "n", "1")));
    client.call(Requests.send(topic, 0, "b".getBytes(UTF_8), Map.of("TAGS", "b", "n", "2")));

    assertThat(popUntil(1, () -> Pops.pop(group, topic, 0, LONG_MS, 0).ext("exp", "b"))).extracting(Popped::text)
        .containsExactly("b");
    String other = Queues.freshName("workers");
    RawFrame bySql = Pops.pop(other, topic, 0, LONG_MS, 0).ext("expType", "SQL92").ext("exp", "n < 2");
    RawFrame answer = client.call(bySql);
    assumeTrue(server.isMetaq() || answer.code() == SUCCESS, "the reference has SQL switched off");
    assertThat(Pops.read(other, topic, answer)).extracting(Popped::text).containsExactly("a");
  }

  @Test
  void shouldTellThatThereIsSomethingWithoutTakingIt() throws Exception {
    RawFrame notification = RawFrame.request(Pops.NOTIFICATION).ext("consumerGroup", group).ext("topic", topic)
        .ext("queueId", Pops.ANY_QUEUE).ext("pollTime", 0).ext("bornTime", System.currentTimeMillis() + LONG_MS);
    send(0, "m");
    Await.until("the message is there", LIMIT, () -> client.call(Requests.maxOffset(topic, 0)).number("offset") == 1);

    assertThat(client.call(notification).ext("hasMsg")).isEqualTo("true");
    RawFrame peeked = client.call(RawFrame.request(Pops.PEEK).ext("consumerGroup", group).ext("topic", topic).ext("queueId", 0)
        .ext("maxMsgNums", 1));
    assertThat(peeked.code()).as(peeked.toString()).isEqualTo(SUCCESS);
    assertThat(popAll(1, LONG_MS)).hasSize(1);
    assertThat(client.call(notification).ext("hasMsg")).isEqualTo("false");
    assertThat(client.call(RawFrame.request(Pops.PEEK).ext("consumerGroup", group).ext("topic", topic).ext("queueId", 0)
        .ext("maxMsgNums", 1)).code()).isEqualTo(PULL_NOT_FOUND);
  }

  @Test
  void shouldShowProgressAsFarAsItIsPopped() throws Exception {
    send(0, "m0");
    send(0, "m1");
    popAll(2, LONG_MS);

    Await.until("progress is noted", LIMIT, () -> client.call(Requests.committedOffset(group, topic, 0)).number("offset") == 2);
  }

  @ParameterizedTest
  @CsvSource({
      "maxMsgNums, 33, 29", "maxMsgNums, x, 1", "queueId, 99, 29", "bornTime, 1, 210", "topic, nobody-has-it, 17",
          "exp, a AND, 23"})
  void shouldRefuseABadPopAsTheReferenceDoes(String field, String value, int code) throws Exception {
    send(0, "m");
    RawFrame pop = Pops.pop(group, topic, 0, LONG_MS, 0).ext(field, value);

    assertCode(client.call(field.equals("exp") ? pop.ext("expType", "SQL92") : pop), code);
  }

  @ParameterizedTest
  @ValueSource(strings = {"consumerGroup", "topic", "queueId", "maxMsgNums", "invisibleTime", "pollTime", "bornTime", "initMode"})
  void shouldRefuseAPopThatLacksAField(String field) throws Exception {
    send(0, "m");

    assertCode(client.call(Pops.pop(group, topic, 0, LONG_MS, 0).without(field)), SYSTEM_ERROR);
  }

  /** RocketMQ takes these, and gives messages that are visible at once or never again. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "-9223372036854775808", "9223372036854775807", "259200001"})
  void shouldRefuseTimesThatMakeNoSense(String invisibleMs) throws Exception {
    assumeTrue(server.isMetaq(), "the reference takes them");
    send(0, "m");

    assertCode(client.call(Pops.pop(group, topic, 0, LONG_MS, 0).ext("invisibleTime", invisibleMs)), INVALID_PARAMETER);
    Popped popped = popAll(1, LONG_MS).get(0);
    if (!invisibleMs.equals("0")) {
      assertCode(client.call(popped.changeInvisible(Long.parseLong(invisibleMs))), INVALID_PARAMETER);
    }
    assertCode(client.call(Pops.pop(group, topic, 0, LONG_MS, 0).ext("maxMsgNums", 0)), INVALID_PARAMETER);
  }

  @Test
  void shouldRefuseAGroupWhoseConsumptionIsSwitchedOff() throws Exception {
    send(0, "m");
    client.call(RawFrame.request(UPDATE_GROUP)
        .body(("{\"groupName\":\"" + group + "\",\"consumeEnable\":false,\"retryQueueNums\":1}").getBytes(UTF_8)));

    assertCode(client.call(Pops.pop(group, topic, 0, LONG_MS, 0)), NO_PERMISSION);
  }

  @ParameterizedTest
  @CsvSource({"topic, nobody-has-it, 17", "queueId, 99, 13", "queueId, -1, 13", "offset, 99, 208", "offset, -1, 208",
      "extraInfo, forged, 1"})
  void shouldRefuseABadAcknowledgementAsTheReferenceDoes(String field, String value, int code) throws Exception {
    send(0, "m");
    Popped popped = popAll(1, LONG_MS).get(0);

    assertCode(client.call(popped.ack().ext(field, value)), code);
    assertCode(client.call(popped.changeInvisible(LONG_MS).ext(field, value)), code);
    assertThat(client.call(popped.ack()).code()).isEqualTo(SUCCESS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"consumerGroup", "topic", "queueId", "extraInfo", "offset"})
  void shouldRefuseAnAcknowledgementThatLacksAField(String field) throws Exception {
    send(0, "m");
    Popped popped = popAll(1, LONG_MS).get(0);

    assertCode(client.call(popped.ack().without(field)), SYSTEM_ERROR);
    assertCode(client.call(popped.changeInvisible(1).without(field)), SYSTEM_ERROR);
  }

  /** An acknowledgement of what nobody waits for does no harm, so it succeeds; a time cannot be changed that has passed. */
  @Test
  void shouldTakeAnOldOrForeignAcknowledgementForDone() throws Exception {
    send(0, "m");
    Popped popped = popAll(1, LONG_MS).get(0);
    String foreign = popped.handle().replaceFirst("^(\\d+) \\d+", "$1 1700000000000");

    assertThat(client.call(popped.ack().ext("extraInfo", foreign)).code()).isEqualTo(SUCCESS);
    assertThat(client.call(popped.ack().ext("consumerGroup", Queues.freshName("strangers"))).code()).isEqualTo(SUCCESS);
    assertThat(client.call(popped.ack()).code()).isEqualTo(SUCCESS);
    assertThat(client.call(popped.ack()).code()).isEqualTo(SUCCESS);
    assumeTrue(server.isMetaq(), "the reference brings the message back");
    assertCode(client.call(popped.changeInvisible(1)), NO_MESSAGE);
    assertThat(Pops.popNow(client, group, topic, LONG_MS)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"acks\":[]}", "{}"})
  void shouldRefuseABatchThatAcknowledgesNothing(String body) throws Exception {
    assertCode(client.call(RawFrame.request(Pops.BATCH_ACK).body(body.getBytes(UTF_8))), NO_MESSAGE);
  }

  @Test
  void shouldRefuseABatchThatIsNoJson() throws Exception {
    assertCode(client.call(RawFrame.request(Pops.BATCH_ACK).body("no JSON".getBytes(UTF_8))), SYSTEM_ERROR);
  }

  /** Forgets what a trial that came too late has left. */
  private void anew() {
    topic = Queues.freshName("popped");
    group = Queues.freshName("workers");
  }

  private static void assertCode(RawFrame answer, int code) {
    assertThat(answer.code()).as(answer.toString()).isEqualTo(code);
  }

  private void send(int queueId, String body) throws Exception {
    RawFrame sent = client.call(Requests.send(topic, queueId, body));
    assertThat(sent.code()).as(sent.toString()).isZero();
  }

  /** Pops until there are so many. */
  private List<Popped> popAll(int count, long invisibleMs) throws Exception {
    return popUntil(count, () -> Pops.pop(group, topic, Pops.ANY_QUEUE, invisibleMs, 1_000));
  }

  private List<Popped> popUntil(int count, Supplier<RawFrame> pop) throws Exception {
    List<Popped> popped = new ArrayList<>();
    Await.until(count + " messages are popped", LIMIT, () -> {
      popped.addAll(Pops.read(group, topic, client.call(pop.get())));
      return popped.size() >= count;
    });
    return popped;
  }
}
