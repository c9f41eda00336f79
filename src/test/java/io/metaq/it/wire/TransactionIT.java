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
import io.metaq.it.Transactions;
import io.metaq.it.Transactions.Half;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Half messages and verdicts frame by frame, also wrong ones. */
@ExtendWith(SharedServer.class)
class TransactionIT {

  private static final int SUCCESS = 0;
  private static final int SYSTEM_ERROR = 1;
  private static final int MESSAGE_ILLEGAL = 13;
  private static final int NO_PERMISSION = 16;
  private static final int INVALID_PARAMETER = 29;
  private static final int ILLEGAL_OPERATION = 604;
  private static final int PREPARED = 4;
  private static final String HALF_TOPIC = "RMQ_SYS_TRANS_HALF_TOPIC";

  private final Server server;
  private final String topic = Queues.freshName("transactions");
  private final String group = Queues.freshName("producers");
  private RawClient client;

  TransactionIT(Server server) {
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
  void shouldHideAHalfMessageUntilItIsCommitted() throws Exception {
    RawFrame answer = client.call(Transactions.send(group, topic, 2, "k", Map.of("own", "kept")));
    assertThat(answer.code()).as(answer.toString()).isEqualTo(SUCCESS);
    assertThat(answer.ext("transactionId")).isEqualTo("k");
    assertThat(answer.ext("queueId")).isEqualTo("2");
    assertThat(Queues.readAll(client, topic, 2)).isEmpty();
    String id = answer.ext("msgId");
    Half half = new Half(group, answer.number("queueOffset"), Long.parseLong(id.substring(id.length() - 16), 16), "k");

    RawFrame committed = client.call(half.verdict(Transactions.COMMIT));

    assertThat(committed.code()).as(committed.toString()).isEqualTo(SUCCESS);
    StoredRecord record = Queues.readFirst(client, topic, 2, 1).get(0);
    assertThat(record.text()).isEqualTo("k");
    assertThat(record.properties()).containsEntry("own", "kept").containsEntry("PGROUP", group).containsEntry("__transactionId__", "k")
        .doesNotContainKeys("TRAN_MSG", "REAL_TOPIC", "REAL_QID");
  }

  @Test
  void shouldNeverShowWhatIsRolledBackOrUndecided() throws Exception {
    Half rolledBack = Transactions.half(client, group, topic, "r");
    Half undecided = Transactions.half(client, group, topic, "u");
    Half committed = Transactions.half(client, group, topic, "c");

    assertThat(client.call(rolledBack.verdict(Transactions.ROLLBACK)).code()).isEqualTo(SUCCESS);
    assertThat(client.call(undecided.verdict(0)).code()).isEqualTo(SUCCESS);
    assertThat(client.call(committed.verdict(Transactions.COMMIT)).code()).isEqualTo(SUCCESS);

    assertThat(Queues.readFirst(client, topic, 0, 1)).extracting(StoredRecord::text).containsExactly("c");
    assertThat(Queues.readAll(client, topic, 0)).hasSize(1);
  }

  @Test
  void shouldRefuseAVerdictAfterAVerdict() throws Exception {
    onlyOurs();
    Half half = Transactions.half(client, group, topic, "k");
    client.send(half.verdict(Transactions.COMMIT).oneway());

    assertRefused(half.verdict(Transactions.COMMIT), ILLEGAL_OPERATION);
    assertRefused(half.verdict(Transactions.ROLLBACK), ILLEGAL_OPERATION);

    Queues.readFirst(client, topic, 0, 1);
    assertThat(Queues.readAll(client, topic, 0)).hasSize(1);
  }

  @Test
  void shouldRefuseVerdictsThatFitNoHalfMessage() throws Exception {
    onlyOurs();
    Half half = Transactions.half(client, group, topic, "k");
    Half other = Transactions.half(client, group, topic, "other");

    assertRefused(new Half("strangers", half.queueOffset(), half.phyOffset(), "k").verdict(Transactions.COMMIT), SYSTEM_ERROR);
    assertRefused(new Half(group, other.queueOffset(), half.phyOffset(), "k").verdict(Transactions.COMMIT), SYSTEM_ERROR);
    assertRefused(new Half(group, half.queueOffset(), half.phyOffset() + 8, "k").verdict(Transactions.COMMIT), SYSTEM_ERROR);
    assertRefused(new Half(group, half.queueOffset(), half.phyOffset(), "other").verdict(Transactions.COMMIT), SYSTEM_ERROR);
    assertRefused(new Half(group, half.queueOffset(), -1, "k").verdict(Transactions.ROLLBACK), SYSTEM_ERROR);
    assertRefused(new Half(group, half.queueOffset(), Long.MAX_VALUE, "k").verdict(Transactions.ROLLBACK), SYSTEM_ERROR);
    assertRefused(half.verdict(7), INVALID_PARAMETER);

    assertThat(client.call(half.verdict(Transactions.COMMIT)).code()).isEqualTo(SUCCESS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"producerGroup", "tranStateTableOffset", "commitLogOffset", "commitOrRollback"})
  void shouldRefuseAVerdictThatLacksAFieldOrHasRubbishInIt(String field) throws Exception {
    onlyOurs();
    Half half = Transactions.half(client, group, topic, "k");

    assertRefused(half.verdict(Transactions.COMMIT).without(field), SYSTEM_ERROR);
    assertRefused(half.verdict(Transactions.COMMIT).ext(field, "rubbish"), SYSTEM_ERROR);

    assertThat(client.call(half.verdict(Transactions.ROLLBACK)).code()).isEqualTo(SUCCESS);
  }

  @Test
  void shouldRefuseHalfMessagesThatAreNone() throws Exception {
    onlyOurs();
    RawFrame flagAlone = Requests.send(topic, 0, "m").ext("f", PREPARED);
    RawFrame batch = Requests.batch(topic, 0, Requests.batchBody(List.of("m".getBytes(UTF_8))))
        .ext("i", Requests.propertiesText(Map.of("TRAN_MSG", "true", "PGROUP", group)));

    assertRefused(flagAlone, MESSAGE_ILLEGAL);
    assertRefused(batch, MESSAGE_ILLEGAL);
    assertRefused(Transactions.send(group, HALF_TOPIC, 0, "k", Map.of()), NO_PERMISSION);
  }

  @Test
  void shouldTakeAMarkedMessageThatComesBackForARetryAsAnOrdinaryOne() throws Exception {
    RawFrame retried = Transactions.send(group, topic, 0, "k", Map.of("DELAY", "1")).ext("j", 1);

    assertThat(client.call(retried).code()).isEqualTo(SUCCESS);

    assertThat(Queues.readFirst(client, topic, 0, 1)).extracting(StoredRecord::text).containsExactly("k");
  }

  private void onlyOurs() {
    assumeTrue(server.isMetaq(), "the reference is less strict");
  }

  private void assertRefused(RawFrame request, int code) throws IOException {
    RawFrame answer = client.call(request);
    assertThat(answer.code()).as(answer.toString()).isEqualTo(code);
    assertThat(answer.remark()).isNotBlank();
  }
}
