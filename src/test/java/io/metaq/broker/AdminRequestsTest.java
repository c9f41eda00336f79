package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Administrative requests that are wrong, or that come from somebody who may not make them: each is answered, with its code. */
class AdminRequestsTest {
  @TempDir
  static Path folder;
  private static TestBroker broker;
  private static TestBroker closed;

  @BeforeAll
  static void start() throws Exception {
    broker = new TestBroker(folder.resolve("open"), false, true);
    closed = TestBroker.administeredFromElsewhere(folder.resolve("closed"));
    broker.sendAndDispatch("T", "one");
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
    closed.close();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      UPDATE_AND_CREATE_TOPIC             | topic
      DELETE_TOPIC_IN_BROKER              | topic
      GET_TOPIC_CONFIG                    | topic
      GET_TOPIC_STATS_INFO                | topic
      QUERY_CONSUME_QUEUE                 | topic
      GET_SUBSCRIPTIONGROUP_CONFIG        | group
      GET_CONSUMER_CONNECTION_LIST        | consumerGroup
      GET_PRODUCER_CONNECTION_LIST        | producerGroup
      QUERY_TOPIC_CONSUME_BY_WHO          | topic
      QUERY_TOPICS_BY_CONSUMER            | group
      QUERY_SUBSCRIPTION_BY_CONSUMER      | group
      DELETE_SUBSCRIPTIONGROUP            | groupName
      GET_CONSUME_STATS                   | consumerGroup
      GET_BROKER_CONSUME_STATS            | isOrder
      QUERY_CONSUME_TIME_SPAN             | group
      QUERY_CORRECTION_OFFSET             | topic
      INVOKE_BROKER_TO_RESET_OFFSET       | group
      CLONE_GROUP_OFFSET                  | srcGroup
      VIEW_BROKER_STATS_DATA              | statsName
      GET_CONSUMER_RUNNING_INFO           | consumerGroup
      CONSUME_MESSAGE_DIRECTLY            | msgId
      UPDATE_AND_GET_GROUP_FORBIDDEN      | group
      INVOKE_BROKER_TO_GET_CONSUMER_STATUS | group
      QUERY_MESSAGE                       | topic
      VIEW_MESSAGE_BY_ID                  | offset
      """)
  void shouldNameTheFieldThatIsMissing(RequestCode code, String field) throws Exception {
    RemotingCommand answer = broker.ask(RemotingCommand.request(code));

    assertThat(answer.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(answer.remark()).contains("'" + field + "'");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      UPDATE_AND_CREATE_TOPIC       | topic=N;readQueueNums=many;writeQueueNums=1;perm=6;defaultTopic=TBW102 | readQueueNums
      UPDATE_AND_CREATE_TOPIC       | topic=N;readQueueNums=1;writeQueueNums=1;perm=all;defaultTopic=TBW102  | perm
      QUERY_CONSUME_QUEUE           | topic=T;queueId=first;index=0;count=1                                   | queueId
      QUERY_CONSUME_QUEUE           | topic=T;queueId=0;index=0;count=99999999999                             | count
      INVOKE_BROKER_TO_RESET_OFFSET | topic=T;group=g;timestamp=yesterday;isForce=true                        | timestamp
      VIEW_MESSAGE_BY_ID            | offset=here                                                             | offset
      QUERY_MESSAGE                 | topic=T;key=k;maxNum=all;beginTimestamp=0;endTimestamp=1                | maxNum
      """)
  void shouldNameTheFieldThatIsNoNumber(RequestCode code, String fields, String wrong) throws Exception {
    RemotingCommand answer = broker.ask(request(code, fields));

    assertThat(answer.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
    assertThat(answer.remark()).contains("'" + wrong + "'");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      UPDATE_AND_CREATE_TOPIC_LIST             | 1
      UPDATE_AND_CREATE_SUBSCRIPTIONGROUP      | 1
      UPDATE_AND_CREATE_SUBSCRIPTIONGROUP_LIST | 1
      UPDATE_BROKER_CONFIG                     | 29
      """)
  void shouldRefuseABodyThatIsNotWhatItShouldBe(RequestCode code, int result) throws Exception {
    RemotingCommand answer = broker.ask(RemotingCommand.request(code).body("[\"".getBytes(StandardCharsets.UTF_8)));

    assertThat(answer.code()).isEqualTo(result);
    assertThat(answer.remark()).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      GET_TOPIC_CONFIG             | topic=none                                  | 17
      GET_TOPIC_STATS_INFO         | topic=none                                  | 17
      QUERY_CONSUME_QUEUE          | topic=none;queueId=0;index=0;count=1        | 1
      QUERY_CONSUME_QUEUE          | topic=T;queueId=-1;index=0;count=1          | 1
      GET_SUBSCRIPTIONGROUP_CONFIG | group=none                                  | 26
      GET_CONSUMER_CONNECTION_LIST | consumerGroup=none                          | 206
      GET_PRODUCER_CONNECTION_LIST | producerGroup=none                          | 1
      VIEW_BROKER_STATS_DATA       | statsName=TOPIC_PUT_NUMS;statsKey=none      | 1
      VIEW_BROKER_STATS_DATA       | statsName=NO_SUCH_NUMS;statsKey=T           | 1
      QUERY_CONSUME_TIME_SPAN      | group=g;topic=none                          | 17
      VIEW_MESSAGE_BY_ID           | offset=-1                                   | 1
      VIEW_MESSAGE_BY_ID           | offset=9223372036854775807                  | 1
      GET_BROKER_EPOCH_CACHE       | brokerName=b                                | 1
      UPDATE_AND_CREATE_STATIC_TOPIC | topic=T                                   | 3
      """)
  void shouldSayWhatIsNotThere(RequestCode code, String fields, int result) throws Exception {
    RemotingCommand answer = broker.ask(request(code, fields));

    assertThat(answer.code()).isEqualTo(result);
    assertThat(answer.remark()).isNotBlank();
  }

  @ParameterizedTest
  @EnumSource(names = {
    "UPDATE_AND_CREATE_TOPIC", "UPDATE_AND_CREATE_TOPIC_LIST", "DELETE_TOPIC_IN_BROKER", "UPDATE_AND_CREATE_SUBSCRIPTIONGROUP",
    "UPDATE_AND_CREATE_SUBSCRIPTIONGROUP_LIST", "DELETE_SUBSCRIPTIONGROUP", "INVOKE_BROKER_TO_RESET_OFFSET", "CLONE_GROUP_OFFSET",
    "UPDATE_BROKER_CONFIG", "CLEAN_EXPIRED_CONSUMEQUEUE", "CLEAN_UNUSED_TOPIC", "DELETE_EXPIRED_COMMITLOG",
    "UPDATE_AND_CREATE_STATIC_TOPIC", "UPDATE_AND_GET_GROUP_FORBIDDEN", "CONSUME_MESSAGE_DIRECTLY"
  })
  void shouldTakeChangesOnlyFromWhereTheyMayCome(RequestCode code) throws Exception {
    RemotingCommand answer = closed.ask(RemotingCommand.request(code));

    assertThat(answer.code()).isEqualTo(ResultCode.NO_PERMISSION.wire());
    assertThat(answer.remark()).contains("adminAllowedFrom");
  }

  @ParameterizedTest
  @EnumSource(names = {"GET_BROKER_CONFIG", "GET_BROKER_RUNTIME_INFO", "GET_ALL_TOPIC_CONFIG", "GET_BROKER_HA_STATUS"})
  void shouldShowItselfToEverybody(RequestCode code) throws Exception {
    assertThat(closed.ask(RemotingCommand.request(code)).code()).isZero();
  }

  private static RemotingCommand request(RequestCode code, String fields) {
    RemotingCommand request = RemotingCommand.request(code);
    for (String field : fields.split(";")) {
      String[] parts = field.split("=", 2);
      request.ext(parts[0].trim(), parts[1].trim());
    }
    return request;
  }
}
