package io.metaq.broker;

import static io.metaq.broker.TestBroker.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What tools ask of a broker about topics. */
class AdminTopicsTest {
  @TempDir
  Path folder;
  private TestBroker broker;

  @BeforeEach
  void start() throws Exception {
    broker = new TestBroker(folder, false, true);
  }

  @AfterEach
  void stop() throws Exception {
    broker.close();
  }

  @Test
  void shouldMakeATopicThatTakesMessagesAtOnce() throws Exception {
    RemotingCommand made = broker.ask(update("orders", 3, 2, 6).ext("attributes", "+message.type=FIFO"));

    assertThat(made.code()).as(made.remark()).isZero();
    assertThat(config("orders")).isEqualTo("{\"attributes\":{\"message.type\":\"FIFO\"},\"order\":false,\"perm\":6,\"readQueueNums\":3,"
        + "\"topicFilterType\":\"SINGLE_TAG\",\"topicName\":\"orders\",\"topicSysFlag\":0,\"writeQueueNums\":2}");
    assertThat(broker.ask(send("orders", 1, "m")).code()).isZero();
  }

  @Test
  void shouldChangeATopicForTheNextSend() throws Exception {
    broker.ask(update("orders", 4, 4, 6));

    RemotingCommand changed = broker.ask(update("orders", 8, 8, 4));

    assertThat(changed.code()).isZero();
    assertThat(config("orders")).contains("\"perm\":4,\"readQueueNums\":8");
    assertThat(broker.ask(send("orders", 1, "m")).code()).isEqualTo(ResultCode.NO_PERMISSION.wire());
  }

  @Test
  void shouldMakeAllTopicsOfAList() throws Exception {
    RemotingCommand made = broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_TOPIC_LIST).body("""
        {"topicConfigList":[
          {"topicName":"a","readQueueNums":1,"writeQueueNums":1,"perm":6},
          {"topicName":"a2","readQueueNums":2,"writeQueueNums":2,"perm":4,"attributes":{"+message.type":"DELAY"}}]}
        """.getBytes(StandardCharsets.UTF_8)));

    assertThat(made.code()).as(made.remark()).isZero();
    assertThat(config("a")).contains("\"readQueueNums\":1");
    assertThat(config("a2")).contains("\"message.type\":\"DELAY\"").contains("\"perm\":4");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      bad name | 4 | 4 | 6 | '' | 29 | illegal character at position 3
      TBW102 | 4 | 4 | 6 | '' | 29 | belongs to the broker itself
      c | 4 | 4 | 6 | '' | 29 | belongs to the broker itself
      t | -1 | 4 | 6 | '' | 29 | 0 to 65535
      t | 4 | 70000 | 6 | '' | 29 | 0 to 65535
      t | 4 | 4 | 16 | '' | 29 | perm 16 is none
      t | 4 | 4 | x | '' | 1 | the field 'perm' is not a whole number: 'x'
      t | 4 | 4 | 6 | +message.type=MIXED | 29 | not permitted
      t | 4 | 4 | 6 | +message.type=ODD | 1 | attribute 'message.type' cannot be 'ODD' here
      t | 4 | 4 | 6 | +queue.type=BatchCQ | 1 | attribute 'queue.type' cannot be 'BatchCQ' here
      t | 4 | 4 | 6 | -message.type | 1 | cannot be taken from a topic that does not exist yet
      t | 4 | 4 | 6 | message.type=FIFO | 1 | begins with neither + nor -
      t | 4 | 4 | 6 | +colour=red | 1 | there is no attribute 'colour'
      """)
  void shouldRefuseATopicThatMakesNoSense(
      String topic, String read, String write, String perm, String attributes, int code, String sentence) throws Exception {
    RemotingCommand answer = broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_TOPIC)
        .ext("topic", topic).ext("readQueueNums", read).ext("writeQueueNums", write).ext("perm", perm).ext("attributes", attributes));

    assertThat(answer.code()).as(answer.remark()).isEqualTo(code);
    assertThat(answer.remark()).contains(sentence);
    assertThat(ask(RequestCode.GET_TOPIC_CONFIG, "t").code()).isEqualTo(ResultCode.TOPIC_NOT_EXIST.wire());
  }

  @ParameterizedTest
  @CsvSource({"topic", "readQueueNums", "writeQueueNums", "perm"})
  void shouldNameTheFieldThatIsMissing(String field) throws Exception {
    RemotingCommand request = RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_TOPIC);
    update("t", 1, 1, 6).ext().forEach((key, value) -> request.ext(key, key.equals(field) ? null : value));

    RemotingCommand answer = broker.ask(request);

    assertThat(answer.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(answer.remark()).isEqualTo("the request lacks the field '" + field + "'");
  }

  @Test
  void shouldDeleteATopicWithItsProgress() throws Exception {
    broker.ask(update("orders", 1, 1, 6));
    broker.ask(send("orders", 0, "m"));
    broker.ask(RemotingCommand.request(RequestCode.UPDATE_CONSUMER_OFFSET)
        .ext("consumerGroup", "g").ext("topic", "orders").ext("queueId", 0).ext("commitOffset", 1));

    RemotingCommand deleted = ask(RequestCode.DELETE_TOPIC_IN_BROKER, "orders");

    assertThat(deleted.code()).isZero();
    assertThat(ask(RequestCode.GET_TOPIC_CONFIG, "orders").code()).isEqualTo(ResultCode.TOPIC_NOT_EXIST.wire());
    assertThat(broker.ask(RemotingCommand.request(RequestCode.QUERY_CONSUMER_OFFSET).ext("consumerGroup", "g").ext("topic", "orders")
        .ext("queueId", 0).ext("setZeroIfNotFound", false)).code()).isEqualTo(ResultCode.QUERY_NOT_FOUND.wire());
  }

  /** Seen before with a topic that was deleted within a second of its first pop: the group's progress in it was not noted yet. */
  @Test
  void shouldDeleteTheRetryTopicsOfGroupsThatPopATopicAndNoOthers() throws Exception {
    broker.ask(RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_SUBSCRIPTIONGROUP_LIST)
        .body("{\"groupConfigList\":[{\"groupName\":\"workers\"},{\"groupName\":\"a\"},{\"groupName\":\"a_b\"}]}"
            .getBytes(StandardCharsets.UTF_8)));
    for (String topic : List.of("orders", "b_orders", "%RETRY%workers_orders", "%RETRY%a_b_orders", "%RETRY%nobody_orders")) {
      assertThat(broker.ask(update(topic, 1, 1, 6)).code()).isZero();
    }

    ask(RequestCode.DELETE_TOPIC_IN_BROKER, "orders");

    assertThat(ask(RequestCode.GET_TOPIC_CONFIG, "%RETRY%workers_orders").code()).isEqualTo(ResultCode.TOPIC_NOT_EXIST.wire());
    assertThat(ask(RequestCode.GET_TOPIC_CONFIG, "%RETRY%a_b_orders").code()).as("may be of group a and topic b_orders").isZero();
    assertThat(ask(RequestCode.GET_TOPIC_CONFIG, "%RETRY%nobody_orders").code()).as("of no group").isZero();
  }

  @Test
  void shouldGoOnBehindTheOldMessagesWhenADeletedTopicIsMadeAnew() throws Exception {
    broker.ask(update("orders", 1, 1, 6));
    broker.sendAndDispatch("orders", "before");
    ask(RequestCode.DELETE_TOPIC_IN_BROKER, "orders");

    broker.ask(update("orders", 1, 1, 6));

    assertThat(broker.ask(send("orders", 0, "after")).requireLong("queueOffset")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      SCHEDULE_TOPIC_XXXX | 29 | belongs to the broker itself and cannot be deleted
      b | 29 | belongs to the broker itself and cannot be deleted
      ' ' | 29 | the topic name is empty
      """)
  void shouldDeleteNoTopicOfItsOwn(String topic, int code, String sentence) throws Exception {
    RemotingCommand answer = ask(RequestCode.DELETE_TOPIC_IN_BROKER, topic);

    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.remark()).contains(sentence);
  }

  @Test
  void shouldTakeTheEndOfAnUnknownTopicForDone() throws Exception {
    assertThat(ask(RequestCode.DELETE_TOPIC_IN_BROKER, "nowhere").code()).isZero();
  }

  @Test
  void shouldShowHowFarEachQueueReaches() throws Exception {
    broker.ask(update("orders", 2, 1, 6));
    broker.sendAndDispatch("orders", "m1");
    broker.sendAndDispatch("orders", "m2");

    String stats = text(ask(RequestCode.GET_TOPIC_STATS_INFO, "orders"));

    assertThat(stats).matches("\\{\"offsetTable\":\\{"
        + "\\{\"brokerName\":\"b\",\"queueId\":0,\"topic\":\"orders\"}:"
        + "\\{\"lastUpdateTimestamp\":[1-9]\\d{12},\"maxOffset\":2,\"minOffset\":0},"
        + "\\{\"brokerName\":\"b\",\"queueId\":1,\"topic\":\"orders\"}:"
        + "\\{\"lastUpdateTimestamp\":0,\"maxOffset\":0,\"minOffset\":0}}.*}");
  }

  @Test
  void shouldShowUnitsOfAQueue() throws Exception {
    broker.ask(update("orders", 1, 1, 6));
    broker.sendAndDispatch("orders", "m1");
    long second = broker.appendedOffset();
    broker.sendAndDispatch("orders", "m2");

    RemotingCommand found = broker.ask(units("orders", 0, 1));
    RemotingCommand behind = broker.ask(units("orders", 0, 2));
    RemotingCommand unknown = broker.ask(units("orders", 1, 0));

    assertThat(text(found))
        .startsWith("{\"maxQueueIndex\":2,\"minQueueIndex\":0,\"queueData\":[{\"eval\":false,\"physicOffset\":" + second + ",")
        .endsWith("\"tagsCode\":" + "a".hashCode() + "}]}");
    assertThat(behind.code()).isZero();
    assertThat(behind.remark()).isEqualTo("index 2 is outside of the queue, which has 0 to 1");
    assertThat(unknown.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
  }

  @Test
  void shouldListItsOwnTopics() throws Exception {
    String list = text(broker.ask(RemotingCommand.request(RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_BROKER)));

    assertThat(list).contains("\"SCHEDULE_TOPIC_XXXX\"").contains("\"TBW102\"").contains("\"b\"").contains("\"c\"");
  }

  @ParameterizedTest
  @EnumSource(names = {"UPDATE_AND_CREATE_TOPIC", "UPDATE_AND_CREATE_TOPIC_LIST", "DELETE_TOPIC_IN_BROKER",
      "UPDATE_AND_CREATE_SUBSCRIPTIONGROUP", "UPDATE_AND_CREATE_SUBSCRIPTIONGROUP_LIST", "DELETE_SUBSCRIPTIONGROUP",
      "INVOKE_BROKER_TO_RESET_OFFSET", "CLONE_GROUP_OFFSET", "UPDATE_BROKER_CONFIG",
      "CLEAN_EXPIRED_CONSUMEQUEUE", "CLEAN_UNUSED_TOPIC", "DELETE_EXPIRED_COMMITLOG"})
  void shouldTakeChangesOnlyFromWhereTheyMayCome(RequestCode code) throws Exception {
    try (TestBroker guarded = TestBroker.administeredFromElsewhere(folder.resolve("guarded"))) {
      RemotingCommand answer = guarded.ask(RemotingCommand.request(code));

      assertThat(answer.code()).isEqualTo(ResultCode.NO_PERMISSION.wire());
      assertThat(answer.remark()).isEqualTo("request " + code.wire() + " is taken only from the addresses of adminAllowedFrom");
    }
  }

  private static RemotingCommand update(String topic, int read, int write, int perm) {
    return RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_TOPIC)
        .ext("topic", topic).ext("defaultTopic", "TBW102").ext("readQueueNums", read).ext("writeQueueNums", write).ext("perm", perm)
        .ext("topicFilterType", "SINGLE_TAG").ext("topicSysFlag", 0).ext("order", false);
  }

  private static RemotingCommand units(String topic, int queueId, long index) {
    return RemotingCommand.request(RequestCode.QUERY_CONSUME_QUEUE)
        .ext("topic", topic).ext("queueId", queueId).ext("index", index).ext("count", 10);
  }

  private RemotingCommand ask(RequestCode code, String topic) throws Exception {
    return broker.ask(RemotingCommand.request(code).ext("topic", topic));
  }

  private String config(String topic) throws Exception {
    return text(ask(RequestCode.GET_TOPIC_CONFIG, topic));
  }

  private static String text(RemotingCommand answer) {
    assertThat(answer.code()).as(answer.remark()).isZero();
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
