package io.metaq.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.MetaqCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** What is done in the console is done at the broker, and what it shows is so. */
@Timeout(300)
class ConsoleIT {
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

  private static Console open(String place) throws Exception {
    return Console.open(BROWSER, http, place);
  }

  private static void fill(String topic, int queues, int messages) throws Exception {
    http.createTopic(topic, queues);
    http.publishAll(topic, IntStream.range(0, messages).mapToObj(i -> "message " + i).toList());
  }

  /** A group that has consumed all there is of a topic. */
  private static void makeGroup(String group, String topic) throws Exception {
    MetaqCommand.run("admin", "-n", broker.namesrv(), "group", "create", group, "--yes").text();
    http.post("/v1/groups/" + group + "/offsets", "{\"topic\":\"" + topic + "\",\"to\":\"latest\"}");
  }

  private static MetaqCommand.Running member(String group, String topic, String filter) throws Exception {
    return MetaqCommand.start("consume", "-n", broker.namesrv(), "-t", topic, "-g", group, "--filter", filter);
  }

  private static long lag(String group) throws Exception {
    return (Long) http.get("/v1/groups/" + group + "?members=false").get("lag");
  }

  @Test
  void shouldShowWhatAGroupHasStillToConsume() throws Exception {
    fill("invoices", 4, 12);
    makeGroup("billing", "invoices");
    http.publishAll("invoices", IntStream.range(0, 7).mapToObj(i -> "new " + i).toList());
    assertThat(lag("billing")).isEqualTo(7);

    Console console = open("/groups/billing");

    console.tab().await("the lag", () -> "7".equals(console.figure("Waiting")));
    http.publishAll("invoices", List.of("one more", "and another"));
    console.tab().await("the new lag", () -> "9".equals(console.figure("Waiting")));
    assertThat(BROWSER.consoleErrors()).isEmpty();
  }

  @Test
  void shouldCreateAndDeleteATopicByKeyboard() throws Exception {
    Console console = open("/");
    console.press("g", "t");
    console.tab().awaitText("New topic");
    console.press("n");
    console.tab().await("document.activeElement.name === 'topic'");

    console.press("no blanks");
    console.tab().awaitText("Letters, digits, _ - % | only");
    assertThat(console.tab().value("document.querySelector('dialog .primary').disabled")).isEqualTo(true);
    console.retype("by-hand", Keys.TAB);
    console.retype("3", Keys.ENTER);

    console.tab().await("location.hash === '#/topics/by-hand'");
    console.tab().await("three queues", () -> "3".equals(console.figure("Queues")));

    console.button("Delete").sendKeys(Keys.ENTER);
    console.tab().await("document.querySelector('dialog input') === document.activeElement");
    console.press("by-han", Keys.ENTER);
    assertThat(console.tab().value("document.querySelector('dialog .danger').disabled")).isEqualTo(true);
    assertThat(http.status("/v1/topics/by-hand")).isEqualTo(200);
    console.press("d", Keys.ENTER);
    console.tab().await("location.hash === '#/topics'");
    console.tab().await("the topic to be gone", () -> http.status("/v1/topics/by-hand") == 404);
  }

  @Test
  void shouldFindASentMessageByKeyTimeQueueAndId() throws Exception {
    http.createTopic("sent", 1);
    Console console = open("/messages?topic=sent");
    console.tab().awaitText("sent is empty");

    console.click("Send");
    console.write("dialog textarea", "{\"exact\": 12345678901234567890, \"list\": [1, 2]}");
    console.write("dialog [name=tag]", "paid");
    console.write("dialog [name=keys]", "o-1 o-2");
    console.click("Property");
    console.write("dialog .pairs input:first-child", "region");
    console.write("dialog .pairs input:nth-child(2)", "eu");
    console.tab().element("dialog footer .primary").click();
    console.tab().awaitText("Stored in queue 0");

    Map<?, ?> stored = http.first("sent");
    assertThat(stored.get("tag")).isEqualTo("paid");
    assertThat(stored.get("keys")).isEqualTo(List.of("o-1", "o-2"));
    assertThat(stored.get("properties")).isEqualTo(Map.of("region", "eu"));
    String id = (String) stored.get("messageId");
    for (String search : List.of("by=key&key=o-2", "by=time&from=-1h", "by=queue", "by=newest")) {
      console.go("/messages?topic=sent&" + search);
      console.tab().await("the message " + search, () -> !console.tab().shown("tbody tr").isEmpty());
      console.tab().element("tbody a").click();
      console.tab().awaitText("12345678901234567890", "region");
    }
    console.go("/messages?by=id&id=" + id);
    console.tab().await("document.querySelector('.message .json')");
    console.tab().awaitText("12345678901234567890");
    assertThat(BROWSER.consoleErrors()).isEmpty();
  }

  @Test
  void shouldGoThroughAQueuePageByPage() throws Exception {
    fill("long", 1, 120);
    Console console = open("/messages?topic=long&by=queue");
    console.tab().awaitText("message 0", "Offsets 0 to 31");

    console.click("Next");
    console.tab().awaitText("message 63", "Offsets 32 to 63");
    console.click("Next");
    console.tab().awaitText("Offsets 64 to 95");
    console.click("Back");

    console.tab().awaitText("message 32", "Offsets 32 to 63");
    console.go("/messages?topic=long");
    console.tab().awaitText("message 119", "message 70");
    console.go("/messages?topic=long&by=time&from=earliest");
    console.tab().awaitText("message 0");
    console.click("Next");
    console.tab().awaitText("message 50");
    console.click("Back");
    console.tab().awaitText("message 0");
  }

  @Test
  void shouldShowBytesAsHex() throws Exception {
    http.createTopic("binary", 1);
    http.post("/v1/topics/binary/messages", "{\"bodyBase64\":\"AP/+QUJD\",\"keys\":[\"bin\"]}");
    Console console = open("/messages?topic=binary");

    console.tab().element("tbody a").click();

    console.tab().awaitText("000000  00 ff fe 41 42 43", "···ABC");
    assertThat(console.tab().run("return document.querySelector('.body-view .choice').textContent.trim()")).isEqualTo("Hex");
    assertThat(console.tab().run("return document.querySelector('.hex').textContent"))
        .isEqualTo("000000  00 ff fe 41 42 43" + " ".repeat(6 + 2 + 23 + 2) + "···ABC");
  }

  @Test
  void shouldLeaveMarkupOfMessagesInert() throws Exception {
    http.createTopic("markup", 1);
    String evil = "<img src=x onerror=document.title='broken-in'>";
    http.post("/v1/topics/markup/messages", """
        {"body":"%1$s","tag":"<img/onerror=1>","keys":["<b>key</b>"],"properties":{"<i>name":"%1$s"}}""".formatted(evil));
    Console console = open("/messages?topic=markup");
    console.tab().element("tbody a").click();
    console.tab().awaitText(evil, "<img/onerror=1>", "<b>key</b>", "<i>name");

    Console tail = open("/tail?topic=markup");
    tail.tab().awaitText("following");
    http.post("/v1/topics/markup/messages", "{\"body\":\"%s\",\"tag\":\"<svg/onload=1>\"}".formatted(evil));
    tail.tab().awaitText(evil, "<svg/onload=1>");

    for (Tab tab : List.of(console.tab(), tail.tab())) {
      assertThat(tab.value("document.querySelectorAll('main img, main b b, main i i').length")).isEqualTo(0L);
      assertThat(tab.value("document.title")).asString().doesNotContain("broken-in");
    }
    assertThat(BROWSER.consoleErrors()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "360, dark"})
  void shouldResendADeadLetterToItsGroup(int width, String scheme) throws Exception {
    String name = "parcels-" + width;
    String group = "shipping-" + width;
    http.createTopic(name, 1);
    MetaqCommand.run("admin", "-n", broker.namesrv(), "group", "create", group, "--retries", "0", "--yes").text();
    Tab member = BROWSER.open(http.url("/"));
    member.run("""
        window.mq = (await import('/metaq.js')).connect();
        window.got = [];
        window.sub = mq.subscribe(args[0], {group: args[1], from: 'earliest', ack: 'manual'});
        await sub.ready;
        (async () => { for await (const m of sub) { got.push(m.body); if (got.length === 1) m.nack(0); else m.ack(); } })();
        await mq.publish(args[0], {body: 'parcel 42', tag: 'sent', keys: ['p-42']});
        """, name, group);
    String deadLetters = "/v1/topics/%25DLQ%25" + group;
    member.await("the dead letter", () -> http.status(deadLetters) == 200 && http.stored("%25DLQ%25" + group) == 1);
    Console console = open("/groups/" + group);
    console.prefer(scheme);
    console.resize(width, 800);
    console.tab().await("one dead letter", () -> "1".equals(console.figure("Dead letters")));

    console.tab().run("document.querySelector('.stats a[href*=DLQ]').click()");
    console.tab().await("document.querySelector('[aria-label=Messages] tbody a')");
    console.tab().run("document.querySelector('[aria-label=Messages] tbody a').click()");
    console.tab().awaitText("parcel 42", "once before", "p-42");
    assertThat(console.overflow()).as("pixels too wide").isZero();
    console.click("Resend");
    console.tab().awaitText("Resend this message?", "Group " + group + " gets it again");
    console.click("Cancel");
    console.tab().await("!document.querySelector('dialog')");
    assertThat(member.value("got")).isEqualTo(List.of("parcel 42"));
    console.click("Resend");
    BROWSER.keepPicture(console.tab(), "dead-letter-" + width + "-" + scheme);
    console.tab().element("dialog footer .primary").click();

    console.tab().awaitText("Sent again to " + group);
    member.await("got.length === 2");
    assertThat(member.value("got[1]")).isEqualTo("parcel 42");
    assertThat(http.stored("%25DLQ%25" + group)).as("it stays").isEqualTo(1);
    assertThat(BROWSER.consoleErrors()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1280, dark", "360, light"})
  void shouldShowTheSettingsOfABrokerAndWhereThisServerHasItsOwnFrom(int width, String scheme) throws Exception {
    String name = (String) ((Map<?, ?>) ((List<?>) http.get("/v1/stats").get("brokers")).get(0)).get("name");
    Map<?, ?> told = (Map<?, ?>) http.get("/v1/brokers/" + name + "/config").get("settings");
    Console console = open("/cluster");
    console.prefer(scheme);
    console.resize(width, 800);
    console.tab().awaitText("Configuration", "listenPort", "default");

    console.click(name);
    console.tab().await("every setting of the broker", () -> settings(console).size() == told.size());
    assertThat(settings(console)).isEqualTo(told);
    assertThat(console.overflow()).as("pixels too wide").isZero();
    console.tab().run("document.querySelector('.section-head').scrollIntoView()");
    BROWSER.keepPicture(console.tab(), "configuration-" + width + "-" + scheme);
    console.write(".search input", "longpolling");
    console.tab().await("the search", () -> settings(console).equals(Map.of("longPollingEnable", told.get("longPollingEnable"))));
    console.tab().await("location.hash.includes('broker=" + name + "') && location.hash.includes('q=longpolling')");

    console.tab().run("location.reload()");
    console.tab().await("the same after a reload", () -> settings(console).keySet().equals(Set.of("longPollingEnable")));
    console.write(".search input", "no-such-key");
    console.tab().awaitText("No key or value has");
    assertThat(BROWSER.consoleErrors()).isEmpty();
  }

  /** As they stand in the table. */
  private static Map<?, ?> settings(Console console) {
    return (Map<?, ?>) console.tab().run("""
        const rows = document.querySelectorAll('[aria-label=Configuration] tbody tr');
        return Object.fromEntries([...rows].map(row => [...row.cells].slice(0, 2).map(cell => cell.textContent.trim()))
            .map(([key, value]) => [key, value === 'empty' ? '' : value]));
        """);
  }

  @Test
  void shouldResetAGroupAsItSaid() throws Exception {
    fill("again", 2, 10);
    makeGroup("repeaters", "again");
    assertThat(lag("repeaters")).isZero();
    Console console = open("/groups/repeaters");

    console.click("Reset…");
    console.tab().awaitText("It will consume all 10 messages that are kept, 10 of them again.");
    console.tab().element("dialog footer .danger").click();

    console.tab().await("the group to begin again", () -> lag("repeaters") == 10);
    console.tab().await("the page to show it", () -> "10".equals(console.figure("Waiting")));
    console.click("Reset…");
    console.click("Latest");
    console.tab().awaitText("10 messages it has not consumed will be passed over.");
    console.tab().element("dialog footer .danger").click();
    console.tab().await("the group to pass over", () -> lag("repeaters") == 0);
  }

  @Test
  void shouldTellOfMembersThatWantDifferentMessages() throws Exception {
    http.createTopic("split", 2);
    try (MetaqCommand.Running one = member("divided", "split", "a"); MetaqCommand.Running other = member("divided", "split", "b")) {
      Console console = open("/groups");

      console.tab().awaitText("The members of divided want different messages");
      console.go("/groups/divided");
      console.tab().awaitText("Members of this group want different messages", "split[a]", "split[b]");
    }
  }

  @Test
  void shouldFollowATopicAndHoldStillOnRequest() throws Exception {
    http.createTopic("ticker", 2);
    Console console = open("/tail?topic=ticker");
    console.tab().awaitText("following");

    http.publish("ticker", "first tick");
    console.tab().awaitText("first tick", "1 message");
    console.click("Pause");
    console.tab().awaitText("paused");
    http.publish("ticker", "while paused");
    http.publish("ticker", "also while paused");
    console.tab().await("what was stored", () -> http.stored("ticker") == 3);
    assertThat(console.tab().value("document.querySelectorAll('.tail li').length")).isEqualTo(1L);
    console.click("Go on");

    console.tab().awaitText("while paused", "also while paused", "3 messages");
    console.click("Clear");
    console.tab().awaitText("Waiting for a message");
  }

  @Test
  void shouldCountWhatComesFasterThanAnybodyReads() throws Exception {
    http.createTopic("flood", 2);
    Console console = open("/tail?topic=flood");
    console.tab().awaitText("following");

    http.publishAll("flood", IntStream.range(0, 900).mapToObj(i -> "drop " + i).toList());

    console.tab().awaitText("900 messages", "not shown");
    Object shown = console.tab().value("document.querySelectorAll('.tail li').length");
    Object skipped = console.tab().run("""
        return Number(document.querySelector('.skipped').textContent.match(/[\\d,]+/)[0].replace(',', ''));
        """);
    assertThat((Long) shown + (Long) skipped).isEqualTo(900);
  }

  @Test
  void shouldSayThatTheServerIsAwayAndComeBackByItself(@TempDir Path folder) throws Exception {
    try (BrokerProcess mortal = BrokerProcess.standalone(folder).start()) {
      HttpSide its = new HttpSide(mortal.httpPort());
      its.createTopic("kept", 2);
      its.publishAll("kept", List.of("a", "b"));
      Console console = Console.open(BROWSER, its, "/topics/kept");
      console.tab().await("two messages", () -> "2".equals(console.figure("Messages")));

      mortal.kill();
      console.tab().awaitText("Reconnecting…", "what is shown is what it said last");
      assertThat(console.figure("Messages")).isEqualTo("2");
      mortal.startAgain();

      console.tab().await("document.querySelector('.state.live') && !document.querySelector('p.lost')");
      its.publish("kept", "c");
      console.tab().await("the third message", () -> "3".equals(console.figure("Messages")));
    }
  }
}
