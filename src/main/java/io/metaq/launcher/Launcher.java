package io.metaq.launcher;

import io.metaq.model.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one server process from its first log line to its end. */
public final class Launcher {
  private static final Logger log = LoggerFactory.getLogger(Launcher.class);

  private Launcher() {}

  /**
   * Starts what the descriptor says, prints the ready line and waits until the process is ended by a signal.
   *
   * @param given what the user configured
   * @throws StartFailure when it cannot start; nothing is left running then
   */
  public static void run(Descriptor descriptor, List<Source> given) {
    Clock clock = Clock.system();
    long startedNs = clock.nanos();
    List<Source> sources = new ArrayList<>(given);
    sources.add(Source.descriptor(descriptor));
    Set<Component> components = VerticleKinds.check(descriptor);
    if (!components.contains(Component.NAMESERVER)) {
      // A process with a name server of its own does not need to be told of another by the machine.
      sources.add(Source.sharedEnvironment(System.getenv()));
    }
    SettingsReader.Result configuration = new SettingsReader(ConfigKeys.load(), components).read(sources);
    Logging.level(configuration.settings().text("logLevel"));
    tellWhatIsConfigured(descriptor, configuration);
    HeapWatch.begin(clock);

    EndOfProcess end = new EndOfProcess();
    BlockingQueue<Long> beginnings = new LinkedBlockingQueue<>();
    AtomicReference<MetaqProcess> process = new AtomicReference<>(
        new MetaqProcess(descriptor, configuration.settings(), clock, new OwnProcess(end, beginnings)));
    end.onSignal(() -> process.get().stop());
    try {
      List<Endpoint> endpoints = process.get().start();
      boolean addressLeftToUs = components.contains(Component.BROKER) && configuration.settings().optional("brokerIP1").isEmpty();
      String hint = addressLeftToUs ? ReadyLine.containerHint() : "";
      System.out.println(ReadyLine.of(endpoints, clock.nanos() - startedNs, hint));
      while (true) {
        process.set(process.get().begunAnew(end.await(beginnings)));
        process.get().start();
      }
    } catch (RuntimeException failure) {
      end.cancel();
      process.get().stop();
      throw failure;
    }
  }

  /** The whole JVM is MetaQ's. */
  private record OwnProcess(EndOfProcess end, BlockingQueue<Long> beginnings) implements Host {
    @Override
    public void fatal(Throwable cause) {
      end.fatal(cause);
    }

    @Override
    public void beginAnew(long position) {
      beginnings.add(position);
    }

    @Override
    public void logLevel(String level) {
      Logging.level(level);
    }
  }

  private static void tellWhatIsConfigured(Descriptor descriptor, SettingsReader.Result configuration) {
    Version version = Version.current();
    log.info("MetaQ version={} commit={} descriptor={} jdk={} processors={} maxHeapMiB={}", version.version(), version.commit(),
        descriptor.name(), Runtime.version(), Runtime.getRuntime().availableProcessors(), Runtime.getRuntime().maxMemory() >> 20);
    configuration.remarks().forEach(remark -> log.warn("configuration: {}", remark));
    if (log.isDebugEnabled()) {
      configuration.settings().all()
          .forEach(setting -> log.debug("effective {}={} origin={}", setting.key().name(), setting.shown(), setting.origin()));
    }
  }
}
