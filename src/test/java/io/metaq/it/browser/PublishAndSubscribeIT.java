package io.metaq.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
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

  @Test
  void shouldRejectARefusedSubscriptionAndGoOnWithOthers() throws Exception {
    http.createTopic("fine", 1);
    Tab tab = page();
    tab.run("""
        window.fine = mq.subscribe('fine');
        await fine.ready;
        """);

    Object refusal = tab.run("""
        const refused = mq.subscribe('nowhere');
        const ready = await refused.ready.catch(error => error.code);
        const error = await refused.next().catch(error => error);
        return [ready, error instanceof metaq.MetaqError, error.code, error.message.includes('nowhere'), (await refused.next()).done];
        """);
    http.publish("fine", "still here");

    assertThat(refusal).isEqualTo(List.of("UNKNOWN_TOPIC", true, "UNKNOWN_TOPIC", true, true));
    assertThat(tab.run("return (await fine.next()).value.body")).isEqualTo("still here");
    assertThat(tab.run("return await mq.publish('fine', {tga: 'x', body: ''}).catch(error => error.code)")).isEqualTo("INVALID");
    assertThat(tab.value("errors")).isEqualTo(List.of());
  }

  @Test
  void shouldRejectMessagesThatAreTooLargeAndStoreTheOthers() throws Exception {
    http.createTopic("sizes", 1);
    Tab tab = page();

    Object outcome = tab.run("""
        return await Promise.all([1, 5, 12, 1].map(megabytes => mq.publish('sizes', 'x'.repeat(megabytes << 20))
            .then(receipt => receipt.status, error => error.code)));
        """);

    assertThat(outcome).isEqualTo(List.of("SEND_OK", "INVALID_MESSAGE", "TOO_LARGE", "SEND_OK"));
    assertThat(http.stored("sizes")).isEqualTo(2);
  }

  @Test
  void shouldEndWhatItsSignalEnds() throws Exception {
    http.createTopic("ended", 1);
    Tab tab = page();

    Object outcome = tab.run("""
        const ending = new AbortController();
        const sub = mq.subscribe('ended', {signal: ending.signal});
        await sub.ready;
        const next = sub.next().catch(error => error.name);
        ending.abort();
        const late = await mq.publish('ended', 'x', {signal: ending.signal}).catch(error => error.name);
        const whole = metaq.connect('/', {signal: ending.signal});
        return [await next, (await sub.next()).done, late, whole.state];
        """);

    assertThat(outcome).isEqualTo(List.of("AbortError", true, "AbortError", "closed"));
    assertThat(http.stored("ended")).isZero();
  }

  @Test
  void shouldLetAPageGoOnWhereItWasBefore() throws Exception {
    http.createTopic("kept", 2);
    http.publishAll("kept", List.of("a", "b", "c"));
    Tab tab = page();
    Object position = tab.run("""
        for await (const m of mq.subscribe('kept', {from: 'earliest'})) {
          got.push(m.body);
          if (got.length === 2) return m.position;
        }
        """);
    Object rest = page().run("for await (const m of mq.subscribe('kept', {position: args[0]})) return m.body;", position);

    assertThat(List.of(tab.value("got[0]"), tab.value("got[1]"), rest)).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void shouldShowAViewAgainWheneverItChanges() throws Exception {
    Tab tab = page();
    tab.run("""
        (async () => { for await (const view of mq.watch('/v1/topics/watched', {everyMs: 500})) got.push(view); })();
        """);
    tab.await("got.some(view => view.status === 404)");

    http.createTopic("watched", 3);
    tab.await("got.some(view => view.status === 200 && view.value.queues.length === 3)");
    Object refused = tab.run("return await mq.watch('/v1/nothing').next().catch(error => error.code)");

    assertThat(refused).isEqualTo("NO_SUCH_PATH");
    assertThat(tab.value("got[0].path")).isEqualTo("/v1/topics/watched");
  }

  @Test
  void shouldExportWhatItsTypesSay() throws Exception {
    Object exported = page().run("return Object.keys(metaq).sort()");
    String types = http.text("/metaq.d.ts");

    List<String> declared = Pattern.compile("(?m)^export (?:class|function|const) (\\w+)").matcher(types).results()
        .map(found -> found.group(1)).sorted().toList();
    assertThat(exported).isEqualTo(declared).isEqualTo(List.of("MetaqError", "connect"));
    assertThat(members(types, "Connection")).containsExactlyInAnyOrderElementsOf(names(page().run("""
        return Object.getOwnPropertyNames(Object.getPrototypeOf(mq)).filter(name => name !== 'constructor');
        """)));
  }

  /** Names of what an interface has. */
  private static List<String> members(String types, String name) {
    String body = types.substring(types.indexOf("export interface " + name + " "));
    return Pattern.compile("(?m)^  (?:readonly )?(\\w+)[<(:?]").matcher(body.substring(0, body.indexOf("\n}"))).results()
        .map(found -> found.group(1)).toList();
  }

  @SuppressWarnings("unchecked")
  private static List<String> names(Object list) {
    return (List<String>) list;
  }
}
