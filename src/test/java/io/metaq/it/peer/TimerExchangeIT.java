package io.metaq.it.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.official.OfficialClients;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that wait for their time go to MetaQ with the store of an official broker, and back: none is lost, none comes twice. */
class TimerExchangeIT {

  private static final String TOPIC = "timed";
  private static final String TEMPLATE_TOPIC = "TBW102";
  private static final int EACH = 10;
  private static final long SOON_MS = 1_000;
  /** Longer than a broker takes to stop. */
  private static final long LATER_MS = 12_000;

  @TempDir
  private Path folder;
  private final List<String> sent = new ArrayList<>();

  @Test
  void shouldGoOnWithWhatWaitsInTheStoreOfAnOfficialBrokerAndGiveItBack() throws Exception {
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start()) {
      try (OfficialServer official = OfficialServer.broker(folder, namesrv.namesrv())) {
        send(namesrv.namesrv(), "theirs", SOON_MS);
        awaitAll(namesrv.namesrv());
        send(namesrv.namesrv(), "theirs later", LATER_MS);
        official.stop();
      }
      try (BrokerProcess ours = ours(namesrv.namesrv())) {
        awaitAll(namesrv.namesrv());
        send(namesrv.namesrv(), "ours", SOON_MS);
        awaitAll(namesrv.namesrv());
        send(namesrv.namesrv(), "ours later", LATER_MS);
        assertThat(ours.stop()).isZero();
      }
      try (OfficialServer official = OfficialServer.broker(folder, namesrv.namesrv())) {
        awaitAll(namesrv.namesrv());
        send(namesrv.namesrv(), "theirs again", SOON_MS);

        assertThat(awaitAll(namesrv.namesrv())).extracting(message -> new String(message.getBody(), UTF_8))
            .containsExactlyInAnyOrderElementsOf(sent);
      }
    }
  }

  private void send(String namesrv, String stem, long delayMs) throws Exception {
    try (OfficialClients clients = new OfficialClients(namesrv)) {
      clients.queues(TEMPLATE_TOPIC); // without its route a topic cannot be created by a send
      for (int i = 0; i < EACH; i++) {
        String body = stem + " " + i;
        Message message = new Message(TOPIC, body.getBytes(UTF_8));
        MessageAccessor.putProperty(message, "TIMER_DELAY_MS", Long.toString(delayMs + 77 * i));
        clients.producer().send(message);
        sent.add(body);
      }
    }
  }

  private List<MessageExt> awaitAll(String namesrv) throws Exception {
    try (OfficialClients clients = new OfficialClients(namesrv)) {
      return clients.readAll(TOPIC, sent.size());
    }
  }

  private BrokerProcess ours(String namesrv) throws Exception {
    return BrokerProcess.broker(folder.resolve("store"), namesrv).key("brokerName", "peer-broker").key("brokerClusterName", "PeerCluster")
        .key("mappedFileSizeCommitLog", 67_108_864).start();
  }
}
