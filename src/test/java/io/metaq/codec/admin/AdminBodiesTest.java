package io.metaq.codec.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.registry.BodyException;
import io.metaq.model.Subscription;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that administration reads: what is written here comes back, and so does what RocketMQ writes. */
class AdminBodiesTest {
  @ParameterizedTest
  @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
      {"a":{{"queueId":0,"topic":"T"}:7,{"queueId":1}:8}} ~ {"a":{"{\\"queueId\\":0,\\"topic\\":\\"T\\"}":7,"{\\"queueId\\":1}":8}}
      {"a":[{"b":{{"t":"x}y"}:{}}}]} ~ {"a":[{"b":{"{\\"t\\":\\"x}y\\"}":{}}}]}
      {"a":"{{","b":{0:1}} ~ {"a":"{{","b":{0:1}}
      {"a":{{"b":{"c":1}}:2}} ~ {"a":{"{\\"b\\":{\\"c\\":1}}":2}}
      [] ~ []
      """)
  void shouldMakeTextsOfKeysThatAreObjects(String theirs, String json) {
    assertThat(new String(ObjectKeys.asTexts(bytes(theirs)), StandardCharsets.UTF_8)).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{{", "{\"offsetTable\":{{\"queueId\":", "{\"offsetTable\":{{\"queueId\":\"x\"}:{}}}", "{\"a\":\"\\", ""})
  void shouldRefuseWhatIsBroken(String json) {
    assertThatThrownBy(() -> TopicStats.decode("b", "T", bytes(json))).isInstanceOf(BodyException.class);
  }

  @Test
  void shouldReadBackStatisticsOfATopic() {
    TopicStats stats = new TopicStats("b", "T", List.of(new TopicStats.Queue(0, 1, 5, 99), new TopicStats.Queue(1, 0, 0, 0)), 2.5);

    assertThat(TopicStats.decode("b", "T", stats.encode())).isEqualTo(stats);
  }

  @Test
  void shouldReadBackTheProgressOfAGroup() {
    ConsumeStats stats = new ConsumeStats("b",
        List.of(new ConsumeStats.Queue("T", 3, 9, 4, 7), new ConsumeStats.Queue("%RETRY%g", 0, 1, 1, 0)), 1.5);

    assertThat(ConsumeStats.decode("b", stats.encode())).isEqualTo(stats);
  }

  @Test
  void shouldReadBackTheProgressOfAllGroups() {
    BrokerConsumeStats stats = new BrokerConsumeStats("127.0.0.1:1", List.of(
        new BrokerConsumeStats.Group("g", List.of(new ConsumeStats("b", List.of(new ConsumeStats.Queue("T", 0, 9, 4, 7)), 0))),
        new BrokerConsumeStats.Group("h", List.of())));

    assertThat(BrokerConsumeStats.decode("b", stats.encode())).isEqualTo(stats);
  }

  @Test
  void shouldReadBackTheMembersOfAGroup() {
    List<ConnectionsBody.Client> clients = List.of(new ConnectionsBody.Client("c@1", "10.0.0.9:5", "JAVA", 513, 0));
    byte[] body = ConnectionsBody.consumers(
        clients, "CONSUME_PASSIVELY", "CLUSTERING", "CONSUME_FROM_LAST_OFFSET", Map.of("T", Subscription.ofTags("T", "a || b", 1)), List.of("they differ"));

    assertThat(ConsumersBody.decode(body))
        .isEqualTo(new ConsumersBody(clients, "CONSUME_PASSIVELY", "CLUSTERING", Map.of("T", "a || b"), List.of("they differ")));
  }

  @Test
  void shouldReadBackNamesAndResetOffsets() {
    assertThat(GroupBodies.decodeNames(GroupBodies.names(List.of("g", "h")))).containsExactly("g", "h");
    assertThat(OffsetsBody.decodeReset(OffsetsBody.reset("b", "T", Map.of(0, 3L, 7, 0L)))).isEqualTo(Map.of(0, 3L, 7, 0L));
  }

  @Test
  void shouldReadWhatRocketMqAnswersOfAGroupsProgress() {
    String theirs = """
        {"consumeTps":0.0,"offsetTable":{{"brokerName":"b0","queueId":2,"topic":"T"}:{"brokerOffset":9,"consumerOffset":5,
        "lastTimestamp":1700000000000,"pullOffset":5}}}""";

    assertThat(ConsumeStats.decode("b0", bytes(theirs)))
        .isEqualTo(new ConsumeStats("b0", List.of(new ConsumeStats.Queue("T", 2, 9, 5, 1_700_000_000_000L)), 0));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
