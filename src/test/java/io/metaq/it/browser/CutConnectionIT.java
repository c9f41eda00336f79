package io.metaq.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a page sees of connections that break and of a broker that is killed: messages a little later, each once. */
@Timeout(300)
class CutConnectionIT {
  @RegisterExtension
  static final Chromium BROWSER = new Chromium();

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int CUTS = 6;

  @TempDir
  static Path data;
  private static BrokerProcess broker;
  private static HttpSide http;
  private Relay relay;

  @BeforeAll
  static void start() throws Exception {
    broker = BrokerProcess.standalone(data).start();
    http = new HttpSide(broker.httpPort());
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
  }

  @BeforeEach
  void relay() throws Exception {
    relay = new Relay(broker.httpPort());
  }

  @AfterEach
  void endRelay() throws Exception {
    relay.close();
  }

  /** An empty page that is connected through the relay. */
  private Tab page() {
    Tab tab = BROWSER.open("http://127.0.0.1:" + relay.port() + "/metaq.d.ts");
    tab.run("""
        window.metaq = await import('/metaq.js');
        window.mq = metaq.connect();
        window.opened = 0;
        window.closed = 0;
        mq.on('open', () => opened++);
        mq.on('close', () => closed++);
        window.got = [];
        """);
    return tab;
  }

  private static List<String> numbers(long end) {
    return LongStream.range(0, end).mapToObj(Long::toString).toList();
  }

  @Test
  void shouldGoOnBehindTheLastMessageAfterEachCutUnderLoad() throws Exception {
    http.createTopic("load", 4);
    Tab tab = page();
    tab.run("""
        const sub = mq.subscribe('load', {from: 'earliest', credit: 20});
        await sub.ready;
        (async () => { for await (const m of sub) got.push(m.body); })();
        """);
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Long> sender = CompletableFuture.supplyAsync(() -> sendUntil(enough));

    for (int cut = 1; cut <= CUTS; cut++) {
      tab.await("opened >= " + cut + " && got.length >= " + 200 * cut);
      relay.cut();
    }
    enough.set(true);
    long sent = sender.get();
    tab.await("got.length >= " + sent);

    assertThat(strings(tab.value("got"))).containsExactlyInAnyOrderElementsOf(numbers(sent));
    assertThat((Long) tab.value("opened")).isGreaterThan(CUTS);
  }

  /** Sends numbers in small lots; gives how many. */
  private static long sendUntil(AtomicBoolean enough) {
    long next = 0;
    try {
      while (!enough.get()) {
        long from = next;
        http.publishAll("load", IntStream.range(0, 10).mapToObj(i -> Long.toString(from + i)).toList());
        next += 10;
      }
      return next;
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  @SuppressWarnings("unchecked")
  private static List<String> strings(Object value) {
    return (List<String>) value;
  }

  @Test
  void shouldNeitherLoseNorDoubleWhenTheBrokerIsKilledUnderLoad() throws Exception {
    http.createTopic("killed", 4);
    Tab tab = page();
    tab.run("""
        const sub = mq.subscribe('killed', {group: 'killed', from: 'earliest', credit: 32});
        await sub.ready;
        (async () => { for await (const m of sub) got.push(m.body); })();
        window.sent = 0;
        window.failed = [];
        let next = 0;
        const send = async () => {
          while (next < 1500) await mq.publish('killed', String(next++)).then(() => sent++, error => failed.push(String(error)));
        };
        for (let i = 0; i < 8; i++) send();
        """);

    for (int kill = 1; kill <= 2; kill++) {
      tab.await("got.length >= " + 300 * kill);
      broker.kill();
      broker.startAgain();
    }
    tab.await("sent + failed.length === 1500");
    tab.await("new Set(got).size === 1500");

    assertThat(strings(tab.value("failed"))).isEmpty();
    assertThat(http.stored("killed")).isEqualTo(1500);
    assertThat(strings(tab.value("got"))).containsExactlyInAnyOrderElementsOf(numbers(1500));
  }

  @Test
  void shouldStoreOnceWhatWasSentWhenTheReceiptsWereLost() throws Exception {
    http.createTopic("once", 1);
    Tab tab = page();
    tab.run("await mq.publish('once', 'first')");
    relay.loseAnswers(true);
    tab.run("""
        window.receipts = [];
        for (let i = 0; i < 20; i++) mq.publish('once', 'x' + i).then(receipt => receipts.push(receipt.queueOffset));
        """);
    Await.until("the broker has them all", LIMIT, () -> http.stored("once") == 21);
    assertThat(tab.value("receipts.length")).isEqualTo(0L);

    relay.loseAnswers(false);
    relay.cut();
    tab.await("receipts.length === 20");

    assertThat(http.stored("once")).isEqualTo(21);
    assertThat(tab.value("receipts.sort((a, b) => a - b)")).isEqualTo(LongStream.rangeClosed(1, 20).boxed().toList());
  }

  @Test
  void shouldNotShowAgainWhatWasAcknowledgedIntoACut() throws Exception {
    http.createTopic("acked", 2);
    Tab tab = page();
    tab.run("""
        const sub = mq.subscribe('acked', {group: 'acked', from: 'earliest', ack: 'manual', credit: 30});
        await sub.ready;
        (async () => { for await (const m of sub) got.push(m); })();
        """);
    http.publishAll("acked", numbers(20));
    tab.await("got.length === 20");

    // The first ten acknowledgements leave the page when nobody is there to take them.
    relay.cut();
    tab.run("for (const m of got.slice(0, 10)) m.ack();");
    tab.await("opened === 2 && got.length === 30");

    assertThat(tab.value("got.slice(20).map(m => m.body).sort()")).isEqualTo(tab.value("got.slice(10, 20).map(m => m.body).sort()"));
    tab.run("for (const m of got.slice(20)) m.ack();");
    Await.until("the group has no lag", LIMIT, () -> Long.valueOf(0).equals(http.get("/v1/groups/acked").get("lag")));
    assertThat(tab.value("got.length")).isEqualTo(30L);
  }

  @Test
  void shouldTakeASilentConnectionForDead() throws Exception {
    http.createTopic("silent", 1);
    Tab tab = BROWSER.open("http://127.0.0.1:" + relay.port() + "/metaq.d.ts");
    tab.run("""
        const slow = window.setInterval;
        window.setInterval = (beat, ms) => slow(beat, ms / 50);
        window.mq = (await import('/metaq.js')).connect();
        window.reasons = [];
        mq.on('close', event => reasons.push(event.detail.reason));
        await mq.publish('silent', 'before');
        """);

    relay.loseAnswers(true);
    tab.run("window.later = mq.publish('silent', 'meanwhile')");
    tab.await("reasons.length > 0");
    relay.loseAnswers(false);

    assertThat(tab.run("return (await later).queueOffset")).isEqualTo(1L);
    assertThat(tab.value("reasons[0]")).isEqualTo("nothing was heard for too long");
  }

  @Test
  void shouldRejectWhatWaitsWhenThePageCloses() throws Exception {
    http.createTopic("closing", 1);
    Tab tab = page();
    tab.run("await mq.publish('closing', 'x')");
    relay.loseAnswers(true);

    Object outcome = tab.run("""
        const pending = mq.publish('closing', 'y').catch(error => [error instanceof metaq.MetaqError, error.code]);
        const reading = mq.subscribe('closing').next();
        mq.close();
        const late = await mq.publish('closing', 'z').catch(error => error.code);
        return [...await pending, (await reading).done, mq.state, late];
        """);

    assertThat(outcome).isEqualTo(List.of(true, "CLOSED", true, "closed", "CLOSED"));
  }
}
