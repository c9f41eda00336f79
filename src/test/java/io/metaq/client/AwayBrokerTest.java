package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqException.Reason;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What fails because a broker is away says so, and not that there is no topic. */
@Timeout(180)
class AwayBrokerTest extends ClientTestBase {
  private static final TopicQueue FIRST = new TopicQueue(FakeCluster.TOPIC, FakeCluster.BROKER, 0);

  private MetaqClient impatient() {
    return MetaqClient.create(vertx, options().setSendTimeout(Duration.ofSeconds(2)));
  }

  @Test
  void shouldSayThatABrokerHasNoMaster() {
    cluster.withoutMaster();

    MetaqException offsets = failure(client.offsets(FakeCluster.TOPIC, Position.LATEST));
    MetaqException browse = failure(client.admin().browse(FakeCluster.TOPIC, Position.EARLIEST, 1));
    MetaqException reset = failure(client.admin().resetGroup("g", FakeCluster.TOPIC, Position.EARLIEST));
    MetaqException resetQueue = failure(client.admin().resetGroup("g", FIRST, 0));
    MetaqException create = failure(client.admin().putTopic(TopicSettings.of("new"), Optional.empty(), Optional.empty()));
    MetaqClient impatient = impatient();
    MetaqException send = failure(impatient.send(Message.to(FakeCluster.TOPIC).body("x")));

    assertThat(new MetaqException[] {offsets, browse, reset, resetQueue, create, send})
        .allSatisfy(failure -> assertThat(failure.reason()).as(failure.getMessage()).isEqualTo(Reason.NO_BROKER))
        .allSatisfy(failure -> assertThat(failure.retryable()).isTrue());
    assertThat(offsets).hasMessage("broker b0 has no master now");
    assertThat(client.queues(FakeCluster.TOPIC).await().atMost(LIMIT)).hasSize(2);
    assertThat(failure(client.queues("nowhere")).reason()).isEqualTo(Reason.NO_ROUTE);
    assertThat(failure(client.admin().browse("nowhere", Position.EARLIEST, 1)).reason()).isEqualTo(Reason.NOT_FOUND);
    impatient.close().await().atMost(LIMIT);
  }

  @Test
  void shouldNotSayThatATopicDoesNotExistWhileNoBrokerIsThereToKnow() {
    cluster.withoutBrokers();

    MetaqException queues = failure(client.queues(FakeCluster.TOPIC));
    MetaqException offsets = failure(client.offsets(FakeCluster.TOPIC, Position.LATEST));
    MetaqException byKey = failure(client.admin().messagesByKey(FakeCluster.TOPIC, "k", 1));
    MetaqException byId = failure(client.admin().messageByUniqueId(FakeCluster.TOPIC, "id"));
    MetaqException browse = failure(client.admin().browse(FakeCluster.TOPIC, Position.EARLIEST, 1));
    MetaqException reset = failure(client.admin().resetGroup("g", FakeCluster.TOPIC, Position.EARLIEST));
    MetaqException topic = failure(client.admin().topic(FakeCluster.TOPIC));
    MetaqClient impatient = impatient();
    MetaqException send = failure(impatient.send(Message.to(FakeCluster.TOPIC).body("x")));

    assertThat(new MetaqException[] {queues, offsets, byKey, byId, browse, reset, topic, send})
        .allSatisfy(failure -> assertThat(failure.reason()).as(failure.getMessage()).isEqualTo(Reason.NO_BROKER));
    assertThat(queues).hasMessageContaining("no broker is registered");
    impatient.close().await().atMost(LIMIT);
  }

  @Test
  void shouldKeepToTheTopicWhereANameServerDoesNotListBrokers() {
    cluster.script(RequestCode.GET_BROKER_CLUSTER_INFO, call -> {
      call.refuse(ResultCode.SYSTEM_ERROR.wire(), "no");
      return true;
    });

    assertThat(failure(client.queues("nowhere")).reason()).isEqualTo(Reason.NO_ROUTE);
  }

  @Test
  void shouldBlameTheNameServerForAnAnswerThatIsNone() {
    cluster.script(RequestCode.GET_ROUTEINFO_BY_TOPIC, call -> {
      call.answer(call.request().success().body("{".getBytes(StandardCharsets.UTF_8)));
      return true;
    });

    MetaqException failure = failure(client.queues(FakeCluster.TOPIC));

    assertThat(failure.reason()).isEqualTo(Reason.NO_NAME_SERVER);
    assertThat(failure).hasMessageContaining("sent no readable route");
  }
}
