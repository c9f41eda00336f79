package io.metaq.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tabs that share a group, tabs that are slow, and how little of a slow one anybody else notices. */
@Timeout(300)
class SharingIT {
  @RegisterExtension
  static final Chromium BROWSER = new Chromium();

  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir
  static Path data;
  private static BrokerProcess broker;
  private static HttpSide http;

  @BeforeAll
  static void start() throws Exception {
    broker = BrokerProcess.standalone(data).jvm("-Xmx64m", "-XX:MaxDirectMemorySize=64m").start();
    http = new HttpSide(broker.httpPort());
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
  }

  /** An empty page with a connection that counts the messages which come over it, by subscription. */
  private static Tab page() {
    Tab tab = BROWSER.open(http.url("/metaq.d.ts"));
    tab.run("""
        window.frames_ = [];
        window.WebSocket = class extends WebSocket {
          set onmessage(listener) {
            super.onmessage = listener && (event => {
              const frame = JSON.parse(event.data);
              if (frame.op === 'message') frames_.push(frame.sub);
              listener(event);
            });
          }
        };
        window.metaq = await import('/metaq.js');
        window.mq = metaq.connect();
        window.got = [];
        """);
    return tab;
  }

  private static List<String> numbers(int from, int to) {
    return LongStream.range(from, to).mapToObj(Long::toString).toList();
  }

  @SuppressWarnings("unchecked")
  private static List<String> strings(Object value) {
    return (List<String>) value;
  }

  @Test
  void shouldShareAGroupAmongTabsEachMessageToOne() throws Exception {
    http.createTopic("shared", 2);
    List<Tab> tabs = List.of(page(), page());
    for (Tab tab : tabs) {
      tab.run("""
          const sub = mq.subscribe('shared', {group: 'sharing', from: 'earliest', credit: 8});
          await sub.ready;
          (async () => { for await (const m of sub) got.push(m.body); })();
          """);
    }

    http.publishAll("shared", numbers(0, 200));
    Await.until("both have them all", LIMIT, () -> tabs.stream().mapToLong(tab -> (Long) tab.value("got.length")).sum() >= 200);

    List<String> all = new ArrayList<>();
    for (Tab tab : tabs) {
      List<String> some = strings(tab.value("got"));
      assertThat(some).isNotEmpty();
      all.addAll(some);
    }
    assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(0, 200));
  }

  @Test
  void shouldNeverHaveMoreThanItsCredit() throws Exception {
    http.createTopic("credit", 1);
    http.createTopic("marks", 1);
    http.publishAll("credit", numbers(0, 100));
    Tab tab = page();

    // Nothing is taken of the first, and nothing acknowledged of the second. What is asked for later comes later.
    tab.run("""
        window.idle = mq.subscribe('credit', {from: 'earliest', credit: 7});
        window.member = mq.subscribe('credit', {group: 'creditors', from: 'earliest', ack: 'manual', credit: 5});
        (async () => { for await (const m of member) got.push(m); })();
        window.marked = mq.subscribe('marks', {from: 'earliest'});
        await Promise.all([idle.ready, member.ready, marked.ready]);
        window.seen = sub => frames_.filter(id => id === sub.id).length;
        """);
    tab.await("seen(idle) === 7 && got.length === 5");
    http.publish("marks", "1");
    tab.run("await marked.next()");
    assertThat(tab.value("[seen(idle), got.length]")).isEqualTo(List.of(7L, 5L));

    // Two are taken, the second is in hand still; two are done with.
    tab.run("await idle.next(); await idle.next(); got[0].ack(); got[1].nack(60000);");
    tab.await("seen(idle) === 8 && got.length === 7");
    http.publish("marks", "2");
    tab.run("await marked.next()");

    assertThat(tab.value("[seen(idle), got.length]")).isEqualTo(List.of(8L, 7L));
  }

  @Test
  void shouldEndASubscriptionWithItsLoopAndLeaveTheRestToOthers() throws Exception {
    http.createTopic("broken-off", 2);
    http.publishAll("broken-off", numbers(0, 10));
    Tab tab = page();

    tab.run("""
        for await (const m of mq.subscribe('broken-off', {group: 'breakers', from: 'earliest', credit: 4})) {
          got.push(m.body);
          if (got.length === 3) break;
        }
        """);
    Await.until("the group is empty", LIMIT, () -> ((List<?>) http.get("/v1/groups/breakers").get("members")).isEmpty());
    Tab other = page();
    other.run("""
        window.rest = mq.subscribe('broken-off', {group: 'breakers', from: 'earliest'});
        (async () => { for await (const m of rest) got.push(m.body); })();
        """);
    other.await("got.length === 8");

    // The first two were done with when the next was asked for; the third was not.
    List<String> first = strings(tab.value("got"));
    List<String> rest = new ArrayList<>(numbers(0, 10));
    rest.removeAll(first.subList(0, 2));
    assertThat(strings(other.value("got"))).containsExactlyInAnyOrderElementsOf(rest);
  }

  @Test
  void shouldHoldNothingForAFrozenTabAndServeTheOther() throws Exception {
    int count = 1_500;
    String large = "x".repeat(100_000);
    http.createTopic("large", 1);
    Tab frozen = page();
    frozen.run("""
        const sub = mq.subscribe('large', {from: 'earliest', credit: 100000});
        await sub.ready;
        (async () => { for await (const m of sub) got.push(m.queueOffset); })();
        """);
    frozen.freeze();
    Tab other = page();
    other.run("""
        const sub = mq.subscribe('large', {from: 'earliest', credit: 16});
        await sub.ready;
        (async () => { for await (const m of sub) got.push(m.queueOffset); })();
        """);

    // More than twice what the process may have.
    for (int sent = 0; sent < count; sent += 10) {
      http.publishAll("large", Collections.nCopies(10, large));
    }
    other.await("got.length === " + count);
    assertThat(broker.alive()).isTrue();
    assertThat(broker.standardError()).doesNotContain("OutOfMemory");

    frozen.thaw();
    frozen.await("got.length === " + count);
    assertThat(frozen.value("got.every((offset, i) => offset === i)")).isEqualTo(true);
  }
}
