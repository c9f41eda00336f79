package io.metaq.it.browser;

import java.util.List;
import java.util.Map;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The console in a tab, as somebody who looks, types and clicks. */
record Console(Tab tab, HttpSide http) {

  /** @param place behind the hash: {@code /topics/orders} */
  static Console open(Chromium browser, HttpSide http, String place) throws Exception {
    Console console = new Console(browser.open(http.url("/#" + place)), http);
    console.tab.await("document.querySelector('.state.live')");
    return console;
  }

  /** Another place of the same page. */
  void go(String place) throws Exception {
    tab.run("location.hash = args[0]", "#" + place);
    tab.await("document.querySelector('main h1')");
  }

  /** As wide as a window or a telephone. */
  void resize(int width, int height) {
    tab.command("Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** As the system says it likes its pages: light or dark. */
  void prefer(String scheme) {
    tab.command("Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Keys of the page, wherever the focus is. */
  void press(CharSequence... keys) {
    new Actions(tab.driver()).sendKeys(keys).perform();
  }

  /** Keys into the field that has the focus, in place of what it has. */
  void retype(CharSequence... keys) {
    new Actions(tab.driver()).keyDown(Keys.CONTROL).sendKeys("a").keyUp(Keys.CONTROL).sendKeys(keys).perform();
  }

  /** The button or link that says so, once it is there and can be used. */
  WebElement button(String text) throws Exception {
    String path = "//*[self::button or self::a][normalize-space()='" + text + "']";
    tab.await("a button " + text, () -> tab.driver().findElements(By.xpath(path)).stream().anyMatch(Console::usable));
    return tab.driver().findElements(By.xpath(path)).stream().filter(Console::usable).findFirst().orElseThrow();
  }

  private static boolean usable(WebElement element) {
    return element.isDisplayed() && element.isEnabled();
  }

  void click(String text) throws Exception {
    button(text).click();
  }

  /** Writes into a field, in place of what it has. */
  void write(String css, String text) throws Exception {
    WebElement field = tab.element(css);
    field.sendKeys(Keys.chord(Keys.CONTROL, "a"), text);
  }

  /** The figure under a name, as it is shown. */
  String figure(String name) {
    return (String) tab.run("""
        const stats = [...document.querySelectorAll('.stat')];
        return stats.find(stat => stat.querySelector('dt').textContent === args[0])?.querySelector('b').textContent;
        """, name);
  }

  /** What the page is wider than the window, in pixels. */
  long overflow() {
    return (Long) tab.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }
}
