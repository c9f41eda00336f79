package io.metaq.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a page does with {@code metaq.js} on a good day, and what it is told when it asks for what is not there. */
@Timeout(300)
class PublishAndSubscribeIT {
  @RegisterExtension
  static final Chromium BROWSER = new Chromium();

  @TempDir
  static Path data;
  private static BrokerProcess broker;
  private static HttpSide http;

  @BeforeAll
  static void start() throws Exception {
    broker = BrokerProcess.standalone(data).start();
    http = new HttpSide(broker.httpPort());
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
  }

  /** A page of the bridge's own origin and policy, with nothing on it, and a connection {@code mq}. */
  private static Tab page() {
    Tab tab = BROWSER.open(http.url("/metaq.d.ts"));
    tab.run("""
        window.metaq = await import('/metaq.js');
        window.mq = metaq.connect();
        window.errors = [];
        mq.on('error', event => errors.push(event.detail.code));
        window.got = [];
        """);
    return tab;
  }

  @Test
  void shouldShowWhatAnotherClientSends() throws Exception {
    http.createTopic("seen", 4);
    Tab tab = page();
    tab.run("""
        const sub = mq.subscribe('seen');
        await sub.ready;
        (async () => { for await (const m of sub) got.push(m); })();
        """);

    http.publish("seen", "grüße");
    tab.await("got.length === 1");

    assertThat(tab.value("got[0].body")).isEqualTo("grüße");
    assertThat(tab.value("got[0].topic")).isEqualTo("seen");
    assertThat(tab.value("new TextDecoder().decode(got[0].bytes())")).isEqualTo("grüße");
    assertThat(BROWSER.consoleErrors()).isEmpty();
  }

  @Test
  void shouldStoreWhatAPagePublishes() throws Exception {
    http.createTopic("sent", 1);
    Tab tab = page();

    Object receipt = tab.run("""
        await mq.publish('sent', 'plain');
        await mq.publish('sent', new Uint8Array([0, 255, 254]));
        return await mq.publish('sent', {json: {id: 7}, tag: 'paid', keys: ['o-7'], properties: {region: 'eu'}});
        """);

    assertThat(receipt).asString().contains("status=SEND_OK", "queueOffset=2");
    tab.run("for await (const m of mq.subscribe('sent', {from: 'earliest'})) if (got.push(m) === 3) break;");
    assertThat(tab.value("got[0].body")).isEqualTo("plain");
    assertThat(tab.value("Array.from(got[1].bytes())")).isEqualTo(List.of(0L, 255L, 254L));
    assertThat(tab.value("[got[2].json().id, got[2].tag, got[2].keys[0], got[2].properties.region]"))
        .isEqualTo(List.of(7L, "paid", "o-7", "eu"));
  }
}
