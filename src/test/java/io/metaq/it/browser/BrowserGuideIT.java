package io.metaq.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.metaq.it.BrokerProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page in docs/browser.md, as somebody who copies it has it: served by another server, opened twice. */
@Timeout(300)
class BrowserGuideIT {
  @RegisterExtension
  static final Chromium BROWSER = new Chromium();

  @TempDir
  static Path data;

  @Test
  void shouldShowInBothTabsWhatIsTypedIntoOneAlsoAfterTheBrokerWasKilled() throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(data).start()) {
      Matcher page = Pattern.compile("(?s)```html\\n(.*?)```").matcher(Files.readString(Path.of("docs", "browser.md")));
      assertThat(page.find()).isTrue();
      HttpServer pages = serve(page.group(1).replace("localhost:8080", "localhost:" + broker.httpPort()));
      try {
        String url = "http://localhost:" + pages.getAddress().getPort() + "/";
        Tab one = BROWSER.open(url);
        one.awaitText("somebody came", "connected");
        Tab other = BROWSER.open(url);
        other.awaitText("connected");

        one.element("input").sendKeys("grüß dich", Keys.ENTER);
        one.awaitText("grüß dich");
        other.awaitText("grüß dich");

        broker.kill();
        one.awaitText("away, again in");
        one.element("input").sendKeys("still there?", Keys.ENTER);
        broker.startAgain();
        other.awaitText("still there?", "connected");
        assertThat(other.shown("li")).hasSize(4);
      } finally {
        pages.stop(0);
      }
    }
  }

  private static HttpServer serve(String page) throws Exception {
    byte[] html = page.getBytes(StandardCharsets.UTF_8);
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("localhost"), 0), 0);
    server.createContext("/", exchange -> {
      exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
      exchange.sendResponseHeaders(200, html.length);
      try (exchange) {
        exchange.getResponseBody().write(html);
      }
    });
    server.start();
    return server;
  }
}
