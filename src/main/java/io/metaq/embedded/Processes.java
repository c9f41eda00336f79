package io.metaq.embedded;

import io.metaq.launcher.Descriptor;
import io.metaq.launcher.Endpoint;
import io.metaq.launcher.Host;
import io.metaq.launcher.MetaqProcess;
import io.metaq.launcher.SettingsReader;
import io.metaq.launcher.Source;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of an embedded cluster, each started by the launcher as in production: name server and first broker together, further
 * brokers on their own, every one with an event bus of its own. Starting and stopping block the caller.
 */
@OwnedBy("its monitor")
final class Processes {
  private static final Logger log = LoggerFactory.getLogger(Processes.class);

  /** Only this machine is served, ports are free ones, and files are small: what is prepared ahead is written, and tests are many. */
  private static final Map<String, String> DEFAULTS = Map.ofEntries(
      Map.entry("bindAddress", "127.0.0.1"),
      Map.entry("listenPort", "0"),
      Map.entry("namesrvListenPort", "0"),
      Map.entry("haListenPort", "0"),
      Map.entry("brokerName", "embedded"),
      Map.entry("mappedFileSizeCommitLog", Integer.toString(16 << 20)),
      Map.entry("mappedFileSizeConsumeQueue", "200000"),
      Map.entry("maxHashSlotNum", "50000"),
      Map.entry("maxIndexNum", "200000"),
      Map.entry("mappedFileSizeTimerLog", Integer.toString(1 << 20)),
      // The disks of build machines are often nearly full, and what a test stores is little.
      Map.entry("diskMaxUsedSpaceRatio", "97"),
      Map.entry("diskSpaceCleanForciblyRatio", "98"),
      Map.entry("diskSpaceWarningLevelRatio", "99"));

  private final EmbeddedMetaqOptions options;
  private final DataFolder folder;
  private final Deque<MetaqProcess> started = new ArrayDeque<>();

  Processes(EmbeddedMetaqOptions options, DataFolder folder) {
    this.options = options;
    this.folder = folder;
  }

  /**
   * Starts all of them.
   *
   * @return {@code host:port} of the name server
   * @throws RuntimeException what kept one from starting; those before it run until {@link #stop}
   */
  synchronized String start() {
    String nameServer = nameServer(start("standalone", settings(0)));
    for (int broker = 1; broker < options.brokers(); broker++) {
      Map<String, String> settings = settings(broker);
      settings.put("namesrvAddr", nameServer);
      start("broker-master", settings);
    }
    return nameServer;
  }

  /** Stops those that run, the last first. */
  synchronized void stop() {
    while (!started.isEmpty()) {
      started.pop().stop();
    }
    folder.release();
  }

  private List<Endpoint> start(String name, Map<String, String> settings) {
    Descriptor descriptor = Descriptor.packed(name).withoutBridge();
    SettingsReader.Result configuration = SettingsReader.of(descriptor).read(List.of(Source.code(settings)));
    configuration.remarks().forEach(remark -> log.warn("configuration: {}", remark));
    MetaqProcess process = new MetaqProcess(descriptor, configuration.settings(), Clock.system(), new InTest());
    started.push(process);
    return process.start();
  }

  /** Of the broker with a number; the first has the name itself. */
  private Map<String, String> settings(int broker) {
    Map<String, String> all = new HashMap<>(DEFAULTS);
    all.putAll(options.settings());
    all.put("storePathRootDir", (broker == 0 ? folder.path() : folder.path().resolve("broker-" + broker)).toString());
    if (broker > 0) {
      all.merge("brokerName", "-" + broker, String::concat);
      all.remove("namesrvListenPort");
    }
    return all;
  }

  private static String nameServer(List<Endpoint> endpoints) {
    return endpoints.stream().filter(endpoint -> endpoint.role().equals("name server")).findFirst().orElseThrow().address();
  }

  /** A failure ends the cluster, not the test's JVM; logging is the test's. */
  private final class InTest implements Host {
    @Override
    public void fatal(Throwable cause) {
      log.error("an embedded cluster ends, see the cause folder={}", folder.path(), cause);
      new Thread(Processes.this::stop, "metaq-embedded-end").start();
    }

    /** Asked for by slaves, and there are none. */
    @Override
    public void beginAnew(long position) {
      fatal(new IllegalStateException("the log of an embedded broker cannot begin anew at " + position));
    }

    @Override
    public void logLevel(String level) {
      log.warn("the level of log lines is the test's affair, it stays as it is wanted={}", level);
    }
  }
}
