package io.metaq.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.MetaqCommand;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** Every page of the console: it loads, fits, says nothing to the browser's own console, and looks as one wants it. */
@Timeout(300)
class ConsolePagesIT {
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
    http.createTopic("pages", 4);
    http.publishAll("pages", List.of("one", "two", "three"));
    MetaqCommand.run("admin", "-n", broker.namesrv(), "group", "create", "page-readers", "--yes").text();
    http.post("/v1/groups/page-readers/offsets", "{\"topic\":\"pages\",\"to\":\"latest\"}");
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
  }

  @ParameterizedTest
  @CsvSource({
      "/,                            Overview,  Brokers",
      "/topics,                      Topics,    pages",
      "/topics?system=1,             Topics,    TBW102",
      "/topics/pages,                pages,     page-readers",
      "/messages,                    Messages,  Choose a topic",
      "/messages?topic=pages,        Messages,  three",
      "/messages?topic=pages&by=key, Messages,  Which key?",
      "/groups,                      Groups,    page-readers",
      "/groups/page-readers,         page-readers, Nobody is connected",
      "/tail,                        Live tail, Which topic?",
      "/tail?topic=pages,            Live tail, Waiting for a message",
      "/cluster,                     Cluster,   defaultTopicQueueNums",
      "/topics/nowhere,              nowhere,   No broker serves this topic",
      "/no/such/page,                Nothing here, There is no such page"})
  void shouldLoadAndFitAWindowAndATelephone(String place, String heading, String content) throws Exception {
    Console console = Console.open(BROWSER, http, place);
    console.tab().awaitText(heading, content);
    assertThat(console.overflow()).as("pixels too wide").isZero();

    console.resize(360, 740);
    console.tab().await("innerWidth === 360");
    console.tab().awaitText(heading, content);
    console.tab().await("the page to fit 360 pixels", () -> console.overflow() == 0);

    assertThat(BROWSER.consoleErrors()).isEmpty();
  }

  @Test
  void shouldGiveThreeCommandsWhereThereIsNoTopic(@TempDir Path fresh) throws Exception {
    try (BrokerProcess empty = BrokerProcess.standalone(fresh).start()) {
      Console console = Console.open(BROWSER, new HttpSide(empty.httpPort()), "/");

      console.tab().awaitText("No topics yet", "produce -n 127.0.0.1:" + empty.namesrvPort() + " -t hello",
          "http://127.0.0.1:" + empty.httpPort() + "/v1/topics/hello/messages");
    }
  }

  @Test
  void shouldFollowTheSystemUntilSomebodyChooses() throws Exception {
    Console console = Console.open(BROWSER, http, "/topics");
    console.prefer("light");
    console.tab().await("getComputedStyle(document.body).backgroundColor === 'rgb(247, 247, 245)'");

    console.prefer("dark");
    console.tab().await("getComputedStyle(document.body).backgroundColor === 'rgb(15, 17, 19)'");

    console.press("d");
    console.tab().await("getComputedStyle(document.body).backgroundColor === 'rgb(247, 247, 245)'");
    console.tab().run("location.reload()");
    console.tab().await("document.querySelector('.state.live')");
    console.tab().await("getComputedStyle(document.body).backgroundColor === 'rgb(247, 247, 245)'");
    console.tab().run("localStorage.clear()");
  }

  @Test
  void shouldBeGoneThroughByKeys() throws Exception {
    Console console = Console.open(BROWSER, http, "/");

    console.press("g", "t");
    console.tab().await("location.hash === '#/topics' && document.querySelector('tbody tr')");
    console.press("/");
    console.tab().await("document.activeElement.type === 'search'");
    console.press("pag");
    console.tab().await("location.hash === '#/topics?q=pag'");
    console.press(Keys.ESCAPE, Keys.ESCAPE);
    console.press(Keys.ARROW_DOWN);
    console.tab().await("document.activeElement.textContent === 'pages'");
    console.press(Keys.ENTER);
    console.tab().await("location.hash === '#/topics/pages'");
    console.press("?");
    console.tab().await("document.querySelector('dialog[open]')");
    console.press(Keys.ESCAPE);
    console.tab().await("!document.querySelector('dialog')");
    console.tab().run("history.back()");
    console.tab().await("location.hash === '#/topics'");
    console.tab().awaitText("Topics");
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "1280, dark", "360, light", "360, dark"})
  void shouldShowTheApiInItsOwnColours(int width, String scheme) throws Exception {
    Console console = Console.open(BROWSER, http, "/api");
    console.prefer(scheme);
    console.resize(width, 900);
    console.tab().awaitText("/v1/topics/{topic}/messages", "Send a message, or several");

    console.tab().run("document.querySelector('.opblock-post .opblock-summary-control').click()");
    console.tab().await("document.querySelector('.opblock-post .responses-inner .microlight')");

    BROWSER.keepPicture(console.tab(), "api-" + width + "-" + scheme);
    assertThat(console.tab().value("getComputedStyle(document.querySelector('#swagger')).backgroundColor"))
        .isEqualTo(scheme.equals("dark") ? "rgb(22, 25, 28)" : "rgb(255, 255, 255)");
    assertThat(unreadable(console.tab())).as("texts with too little contrast").isEqualTo(List.of());
    assertThat(console.overflow()).as("pixels too wide").isZero();
    assertThat(BROWSER.consoleErrors()).isEmpty();
  }

  /** Texts of Swagger UI whose colour has a contrast below 4.5 with what is behind it, as WCAG counts. */
  private static Object unreadable(Tab tab) {
    return tab.run("""
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const paint = colour => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); };
        const pixel = () => [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
        const light = rgb => rgb.map(part => part / 255).map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
            .reduce((sum, part, i) => sum + part * [.2126, .7152, .0722][i], 0);
        const contrast = element => {
          const around = [];
          for (let at = element; at; at = at.parentElement) around.unshift(getComputedStyle(at).backgroundColor);
          paint(getComputedStyle(document.body).backgroundColor);
          around.forEach(paint);
          const behind = light(pixel());
          paint(getComputedStyle(element).color);
          const text = light(pixel());
          return (Math.max(text, behind) + .05) / (Math.min(text, behind) + .05);
        };
        return [...document.querySelectorAll('#swagger *')]
            .filter(element => element.checkVisibility() && !element.disabled
                && [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
            .filter(element => contrast(element) < 4.5)
            .map(element => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 30)} ${contrast(element)}`);
        """);
  }
}
