package io.metaq.it.browser;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * One Chromium without a window for the tests of one class, with a profile of its own that is thrown away. Each test opens the tabs
 * it needs; they are closed behind it. Of a test that fails, pictures of its tabs and what they wrote to their consoles stay in
 * {@code target/browser}.
 *
 * <p>Where there is no Chromium the tests are skipped; on a build server ({@code CI=true}) they fail.
 */
public final class Chromium implements BeforeAllCallback, AfterTestExecutionCallback, AfterEachCallback, AfterAllCallback {
  private static final Duration SCRIPT_LIMIT = Duration.ofSeconds(60);
  private static final List<String> FLAGS = List.of("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
      "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--window-size=1280,900");
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");
  private static final String MISSING =
      "the tests in a browser need Chromium and its driver: apt-get install chromium chromium-driver";

  private final List<Tab> tabs = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private ChromeDriver driver;
  private Path profile;
  private String first;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    Optional<File> browser = program("chromium", "chromium-browser", "google-chrome");
    Optional<File> itsDriver = program("chromedriver");
    if (browser.isEmpty() || itsDriver.isEmpty()) {
      if ("true".equals(System.getenv("CI"))) {
        Assertions.fail(MISSING);
      }
      Assumptions.abort(MISSING);
    }
    profile = Files.createTempDirectory("metaq-chromium");
    LoggingPreferences everything = new LoggingPreferences();
    everything.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser.get());
    options.addArguments(FLAGS);
    options.addArguments("--user-data-dir=" + profile);
    options.setCapability("goog:loggingPrefs", everything);
    // It warns of a newer Chromium than its own typed commands are for; none of those is used.
    SELENIUM.setLevel(Level.SEVERE);
    // Both programs are named, so that Selenium looks for none and downloads none.
    driver = new ChromeDriver(
        new ChromeDriverService.Builder().usingDriverExecutable(itsDriver.get()).usingAnyFreePort().build(), options);
    driver.manage().timeouts().scriptTimeout(SCRIPT_LIMIT);
    first = driver.getWindowHandle();
  }

  private static Optional<File> program(String... names) {
    return Stream.of(names)
        .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator)).map(folder -> new File(folder, name)))
        .filter(File::canExecute)
        .findFirst();
  }

  /** A new tab that shows a page, once the page has loaded. */
  public Tab open(String url) {
    driver.switchTo().window(first);
    driver.switchTo().newWindow(WindowType.TAB);
    Tab tab = new Tab(this, driver.getWindowHandle());
    tabs.add(tab);
    driver.get(url);
    return tab;
  }

  /** The driver, with this tab before it. */
  ChromeDriver at(String window) {
    driver.switchTo().window(window);
    return driver;
  }

  /** What the tabs of this test wrote to their consoles so far, refused resources and uncaught errors included. */
  public List<String> consoleLog() {
    for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
      log.add(entry.getLevel() + " " + entry.getMessage());
    }
    return List.copyOf(log);
  }

  /** Of {@link #consoleLog()} what a page must not have: errors. */
  public List<String> consoleErrors() {
    return consoleLog().stream().filter(line -> line.startsWith(Level.SEVERE.getName())).toList();
  }

  /** A picture of a tab to be looked at, in {@code target/browser}, whatever becomes of the test. */
  public void keepPicture(Tab tab, String name) throws IOException {
    Path folder = Files.createDirectories(Path.of("target", "browser"));
    Files.write(folder.resolve(name + ".png"), at(tab.window()).getScreenshotAs(OutputType.BYTES));
  }

  @Override
  public void afterTestExecution(ExtensionContext context) throws IOException {
    if (driver == null || context.getExecutionException().isEmpty()) {
      return;
    }
    Path folder = Files.createDirectories(Path.of("target", "browser"));
    String name = context.getRequiredTestClass().getSimpleName() + "." + context.getRequiredTestMethod().getName();
    for (int i = 0; i < tabs.size(); i++) {
      if (!tabs.get(i).isFrozen()) {
        Files.write(folder.resolve(name + "." + i + ".png"), at(tabs.get(i).window()).getScreenshotAs(OutputType.BYTES));
      }
    }
    Files.write(folder.resolve(name + ".log"), consoleLog());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (driver != null) {
      tabs.forEach(Tab::close);
      tabs.clear();
      consoleLog();
      log.clear();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (driver != null) {
      driver.quit();
    }
    if (profile != null) {
      try (Stream<Path> files = Files.walk(profile)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }
}
