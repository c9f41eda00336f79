package io.metaq.it.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import io.metaq.it.StoredRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue ids, sizes and batches at and beyond their bounds. */
@ExtendWith(SharedServer.class)
class SendLimitIT {

  private static final int MESSAGE_ILLEGAL = 13;
  private static final int INVALID_PARAMETER = 29;
  private static final int BODY_LIMIT = 4 * 1024 * 1024;
  private static final int PROPERTIES_LIMIT = 32_767;
  private static final int COMPRESSED = 1;

  private final Server server;
  private final String topic = Queues.freshName("limits");
  private RawClient client;

  SendLimitIT(Server server) {
    this.server = server;
  }

  @BeforeEach
  void connect() throws Exception {
    client = RawClient.connect(server.brokerPort());
  }

  @AfterEach
  void connectionShouldStillBeServed() throws Exception {
    assertThat(client.call(Requests.send(topic, 0, "last")).code()).isZero();
    client.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 1_000_000, Integer.MAX_VALUE})
  void shouldRefuseAQueueIdOutOfRange(int queueId) throws Exception {
    client.call(Requests.send(topic, 0, "creates the topic with 4 queues"));
    RawFrame answer = client.call(Requests.send(topic, queueId, "m"));

    assertThat(answer.code()).isEqualTo(INVALID_PARAMETER);
    assertThat(client.call(Requests.maxOffset(topic, queueId)).number("offset")).isZero();
  }

  @Test
  void shouldChooseAValidQueueForQueueIdMinusOne() throws Exception {
    client.call(Requests.send(topic, 0, "creates the topic with 4 queues"));
    RawFrame answer = client.call(Requests.send(topic, -1, "m"));

    assertThat(answer.code()).isZero();
    assertThat(answer.number("queueId")).isBetween(0L, 3L);
  }

  @Test
  void shouldStoreTheLargestBodyAndRefuseOneByteMore() throws Exception {
    byte[] largest = new byte[BODY_LIMIT];
    Arrays.fill(largest, (byte) 'x');
    RawFrame stored = client.call(Requests.send(topic, 0, largest, ""));
    RawFrame refused = client.call(Requests.send(topic, 0, new byte[BODY_LIMIT + 1], ""));

    assertThat(stored.code()).as(stored.toString()).isZero();
    assertThat(Queues.readFirst(client, topic, 0, 1).get(0).body()).isEqualTo(largest);
    assertThat(refused.code()).isEqualTo(MESSAGE_ILLEGAL);
    if (server.isMetaq()) {
      assertThat(refused.remark()).contains(Integer.toString(BODY_LIMIT));
    }
  }

  @Test
  void shouldStorePropertiesUpToTheLimitWithWhatTheBrokerAdds() throws Exception {
    client.call(Requests.send(topic, 0, "m".getBytes(UTF_8), padded(1_000)));
    int added = Queues.readFirst(client, topic, 0, 1).get(0).propertiesText().length() - 1_000;
    RawFrame stored = client.call(Requests.send(topic, 1, "m".getBytes(UTF_8), padded(PROPERTIES_LIMIT - added)));
    RawFrame refused = client.call(Requests.send(topic, 1, "m".getBytes(UTF_8), padded(PROPERTIES_LIMIT - added + 1)));
    StoredRecord record = Queues.readFirst(client, topic, 1, 1).get(0);

    assertThat(stored.code()).as(stored.toString()).isZero();
    assertThat(record.propertiesText()).hasSize(PROPERTIES_LIMIT);
    assertThat(record.properties()).containsEntry("UNIQ_KEY", "0123456789ABCDEF0123456789ABCDEF");
    assertThat(refused.code()).isEqualTo(MESSAGE_ILLEGAL);
    assertThat(client.call(Requests.send(topic, 1, "the second in its queue")).number("queueOffset")).isEqualTo(1);
  }

  @Test
  void shouldStoreAndDeliverAnEmptyBody() throws Exception {
    assumeTrue(server.isMetaq(), "the reference answers 1 with a null-pointer text");

    RawFrame answer = client.call(Requests.send(topic, 0, new byte[0], Requests.propertiesText(Map.of("KEYS", "k"))));
    StoredRecord record = Queues.readFirst(client, topic, 0, 1).get(0);

    assertThat(answer.code()).isZero();
    assertThat(record.body()).isEmpty();
    assertThat(record.properties()).containsEntry("KEYS", "k");
  }

  @Test
  void shouldStoreABatchAtConsecutiveOffsets() throws Exception {
    byte[] batch = Requests.batchBody(List.of("a".getBytes(UTF_8), new byte[0], "c".getBytes(UTF_8)));
    RawFrame answer = client.call(Requests.batch(topic, 2, batch));
    List<StoredRecord> records = Queues.readFirst(client, topic, 2, 3);

    assertThat(answer.code()).as(answer.toString()).isZero();
    assertThat(answer.ext("msgId").split(",")).hasSize(3);
    assertThat(records).extracting(StoredRecord::text).containsExactly("a", "", "c");
    assertThat(records).extracting(StoredRecord::queueOffset).containsExactly(0L, 1L, 2L);
  }

  @Test
  void shouldRefuseABatchOverTheLimitAsAWhole() throws Exception {
    assumeTrue(server.isMetaq(), "the reference answers 1");

    RawFrame answer = client.call(Requests.batch(topic, 0, Requests.batchBody(List.of(new byte[BODY_LIMIT / 2], new byte[BODY_LIMIT / 2]))));

    assertThat(answer.code()).isEqualTo(MESSAGE_ILLEGAL);
    assertThat(answer.remark()).contains(Integer.toString(BODY_LIMIT));
    assertThat(client.call(Requests.send(topic, 0, "the first in its queue")).number("queueOffset")).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 21, 22, 40, 41, 45, 46, 47})
  void shouldRefuseACutBatchAsAWhole(int keptBytes) throws Exception {
    assumeTrue(server.isMetaq(), "the reference answers 1");
    byte[] whole = Requests.batchBody(List.of("one".getBytes(UTF_8), "two".getBytes(UTF_8)));
    assumeTrue(keptBytes != whole.length / 2, "a cut between two messages is a smaller batch");

    RawFrame answer = client.call(Requests.batch(topic, 0, Arrays.copyOf(whole, keptBytes)));

    assertThat(answer.code()).isEqualTo(MESSAGE_ILLEGAL);
    assertThat(client.call(Requests.send(topic, 0, "the first in its queue")).number("queueOffset")).isZero();
  }

  @Test
  void shouldRefuseACompressedBatch() throws Exception {
    assumeTrue(server.isMetaq(), "the reference stores it unread");

    RawFrame answer = client.call(Requests.batch(topic, 0, Requests.batchBody(List.of("one".getBytes(UTF_8)))).ext("f", COMPRESSED));

    assertThat(answer.code()).isEqualTo(MESSAGE_ILLEGAL);
    assertThat(client.call(Requests.send(topic, 0, "the first in its queue")).number("queueOffset")).isZero();
  }

  /** Properties of a given length with a unique key, so that the broker adds the same to each. */
  private static String padded(int length) {
    String start = Requests.propertiesText(Map.of("UNIQ_KEY", "0123456789ABCDEF0123456789ABCDEF")) + "pad\u0001";
    return start + "x".repeat(length - start.length() - 1) + "\u0002";
  }
}
