package io.metaq.torture;

import io.metaq.client.MetaqException;
import io.metaq.model.OwnedBy;
import io.metaq.store.FlushMode;
import io.metaq.store.StoreOptions;
import io.metaq.store.inspect.Finding.Severity;
import io.metaq.store.inspect.StoreInspector;
import io.smallrye.mutiny.TimeoutException;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A real broker in a process of its own, killed while many messages are on their way, and started again over what it left; at times it is
 * killed again while it starts. For {@link Kind#TORN_FILES} its files are damaged before the next start.
 */
@OwnedBy("the thread that runs it")
final class ProcessRound {
  private static final int LIVES = 2;
  private static final int LEAST_MESSAGES = 100;
  private static final int MOST_MESSAGES = 2_000;
  private static final int MOST_START_MS = 1_500;

  private final Kind kind;
  private final Path store;
  private final FlushMode mode;
  private final RandomGenerator random;
  private final List<String> program;
  private final StoreSizes sizes;
  private final List<String> keys = new ArrayList<>();
  private final Ledger ledger = new Ledger();

  private BrokerChild broker;
  private long lastNumber;
  private int starts;
  private int repaired;

  /**
   * A round that is yet to be run.
   *
   * @param folder an empty folder for its files
   * @param program how our program is run, without its arguments
   */
  ProcessRound(Kind kind, Path folder, FlushMode mode, RandomGenerator random, List<String> program) {
    this.kind = kind;
    this.store = folder.resolve("store").toAbsolutePath();
    this.mode = mode;
    this.random = random;
    this.program = program;
    this.sizes = StoreSizes.random(random);
    keys.add("bindAddress=127.0.0.1");
    keys.add("flushDiskType=" + mode);
    keys.add("mappedFileSizeCommitLog=" + sizes.logFile());
    keys.add("mappedFileSizeConsumeQueue=" + sizes.queueFile());
    keys.add("maxHashSlotNum=" + sizes.indexSlots());
    keys.add("maxIndexNum=" + sizes.indexEntries());
  }

  RoundResult run() throws IOException {
    Files.createDirectories(store);
    try {
      String nameServer = start();
      for (int life = 0; life < LIVES; life++) {
        sendUntilKilled(nameServer);
        if (kind == Kind.TORN_FILES) {
          repaired += new Damage(store, sizes, random).doSome(ledger.promised()::contains);
        } else if (random.nextInt(3) == 0) {
          killWhileStarting();
        }
        nameServer = start();
        repaired++;
        compare(nameServer);
      }
      broker.stop();
      inspect();
    } catch (IOException | IllegalStateException | MetaqException failure) {
      ledger.fault(failure.getMessage());
    } catch (TimeoutException late) {
      ledger.fault("the broker did not answer in time after start " + starts);
    } finally {
      if (broker != null) {
        broker.close();
      }
    }
    return RoundResult.of(kind, mode, ledger, repaired);
  }

  private String start() throws IOException {
    broker = BrokerChild.start(program, store, keys, "broker" + starts++);
    return broker.awaitReady();
  }

  private void killWhileStarting() throws IOException {
    broker = BrokerChild.start(program, store, keys, "broker" + starts++);
    broker.endsWithin(random.nextInt(MOST_START_MS));
    kill();
    repaired++;
  }

  private void kill() throws IOException {
    broker.kill();
    broker.close();
  }

  private void sendUntilKilled(String nameServer) throws IOException {
    int enough = random.nextInt(LEAST_MESSAGES, MOST_MESSAGES);
    try (Traffic traffic = traffic(nameServer)) {
      long end = lastNumber + 10L * MOST_MESSAGES;
      while (traffic.count() < enough && lastNumber < end) {
        ledger.sent(++lastNumber);
        traffic.send(lastNumber);
      }
      kill();
      traffic.settle().forEach(message -> ledger.acknowledged(message.place(), message.number()));
      ledger.promise();
    }
  }

  private void compare(String nameServer) {
    try (Traffic traffic = traffic(nameServer)) {
      ledger.compare(traffic.readAll());
    }
  }

  private static Traffic traffic(String nameServer) {
    return new Traffic(Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1)), nameServer);
  }

  private void inspect() throws IOException {
    StoreOptions options = sizes.options(store).withFlushMode(mode);
    new StoreInspector(options, (area, done, total) -> { }).inspect().findings(Severity.DAMAGE).forEach(damage ->
        ledger.fault("damage after the last stop: " + damage.file() + " at " + damage.place() + ": " + damage.what()));
  }
}
