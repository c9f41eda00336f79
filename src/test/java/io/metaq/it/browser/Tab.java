package io.metaq.it.browser;

import io.metaq.it.Await;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openqa.selenium.By;
import org.openqa.selenium.NoSuchWindowException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/** One tab of a {@link Chromium}. */
public final class Tab {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  /** The last argument of an asynchronous script is the driver's. */
  private static final String AWAITED = """
      const done = arguments[arguments.length - 1];
      (async (...args) => {
      %s
      })(...Array.from(arguments).slice(0, -1)).then(value => done({value}),
          error => done({error: `${error?.name ?? 'thrown'} ${error?.code ?? ''}: ${error?.message ?? error}`}));
      """;

  private final Chromium browser;
  private final String window;
  private boolean frozen;

  Tab(Chromium browser, String window) {
    this.browser = browser;
    this.window = window;
  }

  String window() {
    return window;
  }

  boolean isFrozen() {
    return frozen;
  }

  /**
   * Runs the body of an asynchronous function in the page and gives what it returns: numbers as longs or doubles, objects as maps.
   *
   * @param args are {@code args[0]} and so on
   * @throws AssertionError with name, code and message of what it throws
   */
  public Object run(String body, Object... args) {
    Map<?, ?> result = (Map<?, ?>) driver().executeAsyncScript(AWAITED.formatted(body), args);
    if (result.containsKey("error")) {
      throw new AssertionError("the page threw " + result.get("error"));
    }
    return result.get("value");
  }

  /** What an expression is in the page. */
  public Object value(String expression) {
    return run("return " + expression);
  }

  /** Waits until an expression is true in the page. */
  public void await(String expression) throws Exception {
    await(expression, () -> Boolean.TRUE.equals(run("return Boolean(" + expression + ")")));
  }

  /** Waits until something holds. */
  public void await(String what, Callable<Boolean> condition) throws Exception {
    Await.until(what, LIMIT, condition);
  }

  /** Waits for an element to be there and to be seen. */
  public WebElement element(String css) throws Exception {
    await("an element " + css, () -> !shown(css).isEmpty());
    return shown(css).get(0);
  }

  /** The elements there are now that are seen. */
  public List<WebElement> shown(String css) {
    return driver().findElements(By.cssSelector(css)).stream().filter(WebElement::isDisplayed).toList();
  }

  /** Waits until the text of the page has all of these. */
  public void awaitText(String... texts) throws Exception {
    await("the texts " + Arrays.toString(texts),
        () -> Arrays.stream(texts).allMatch(driver().findElement(By.tagName("body")).getText()::contains));
  }

  public void go(String url) {
    driver().get(url);
  }

  /** Everything stops, as in a tab in the background that the browser puts to sleep. */
  public void freeze() {
    state("frozen");
    frozen = true;
  }

  public void thaw() {
    state("active");
    frozen = false;
  }

  private void state(String state) {
    command("Page.setWebLifecycleState", Map.of("state", state));
  }

  /** A command of Chromium's own protocol for this tab. */
  public Map<String, Object> command(String name, Map<String, Object> parameters) {
    return driver().executeCdpCommand(name, parameters);
  }

  /** The driver, for whatever is not here; it has this tab before it until another one is used. */
  public ChromeDriver driver() {
    return browser.at(window);
  }

  public void close() {
    try {
      if (frozen) {
        thaw();
      }
      driver().close();
    } catch (NoSuchWindowException closed) {
      // by the test or by the page
    }
  }
}
