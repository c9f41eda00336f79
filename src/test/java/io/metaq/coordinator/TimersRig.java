package io.metaq.coordinator;

import io.metaq.HandClock;
import io.metaq.bus.AppendBatch;
import io.metaq.codec.record.StoredMessage;
import io.metaq.model.AppendStatus;
import io.metaq.model.TimerMoments;
import io.metaq.store.Disk;
import io.metaq.store.TimerCheckFile;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@link Timers} over a log in memory and real files, with a clock that is moved by hand and ends of the process at will. */
final class TimersRig {
  static final int SLOT_MS = 1_000;
  static final long WINDOW_MS = 172_800_000;
  /** So small that the units of a test need several files. */
  static final int LOG_FILE_BYTES = 4096;
  static final int KEPT_UNITS = 500;

  final HandClock clock = new HandClock();
  final FakeTimerTopic log = new FakeTimerTopic(clock);
  final AppendBatch batch = new AppendBatch(3);
  private final Path root;
  /** From here on what is written cannot be brought to the disk. */
  boolean diskFails;
  Timers timers;

  TimersRig(Path root) {
    this.root = root;
    timers = begin(false);
  }

  private Disk disk() {
    return (Disk) Proxy.newProxyInstance(Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
      if (diskFails && method.getName().equals("force")) {
        throw new IOException("it is broken");
      }
      return method.invoke(Disk.real(), arguments);
    });
  }

  private Timers begin(boolean slave) {
    return recovery(slave).run();
  }

  private TimerRecovery recovery(boolean slave) {
    TimerRules rules = new TimerRules(true, root, LOG_FILE_BYTES, SLOT_MS, WINDOW_MS, 1_000, KEPT_UNITS, slave);
    return new TimerRecovery(log, rules, FakeTimerTopic.STORE_HOST, clock, disk());
  }

  /** A message that is due so many ms from now. */
  StoredMessage timerIn(long delayMs, String key) {
    return log.timer(key, TimerMoments.written(clock.millis() + delayMs), Map.of());
  }

  /** Takes the one that is due so many ms from now, or was at that time, back. */
  StoredMessage recall(long dueMs, String key) {
    return log.timer(key, TimerMoments.written(dueMs), Map.of("TIMER_DEL_UNIQKEY", "orders+" + key));
  }

  /** Takes up and stores all there is to do at this moment. */
  void run() throws IOException {
    boolean more = true;
    for (int round = 0; more && round < 10_000; round++) {
      more = timers.take();
      batch.clear();
      try {
        more |= timers.fill(batch) | batch.count() > 0;
      } catch (DamagedTimersException damaged) {
        makeAgain(damaged.getMessage());
        more = true;
        continue;
      }
      log.append(batch, Integer.MAX_VALUE, AppendStatus.STORED);
      timers.settle(batch);
    }
  }

  /** As the verticle does. */
  private void makeAgain(String damage) throws IOException {
    timers.close();
    recovery(false).putAside(damage);
    timers = begin(false);
  }

  /** One batch, of which only the first records are stored. */
  void runOnce(int stored, AppendStatus refusal) throws IOException {
    timers.take();
    batch.clear();
    timers.fill(batch);
    log.append(batch, stored, refusal);
    timers.settle(batch);
  }

  /** One batch, of which the first records are stored before the process ends without hearing of it. */
  void dieAfter(int stored) throws IOException {
    timers.take();
    batch.clear();
    timers.fill(batch);
    log.append(batch, stored, AppendStatus.FAILED);
    timers.close();
    timers = begin(false);
  }

  /** Moves the clock in steps, doing at each what there is to do. */
  void runFor(long ms, long stepMs) throws IOException {
    for (long at = 0; at < ms; at += stepMs) {
      clock.advance(Math.min(stepMs, ms - at));
      run();
    }
  }

  /** Writes progress down, as far as the log is. */
  void writeDown() throws IOException {
    timers.forcing().force();
    new TimerCheckFile(root, Disk.real()).write(timers.check(Math.max(1, log.appendedOffset())));
  }

  /** Another process begins, after {@link #stop}. */
  void start() {
    timers = begin(false);
  }

  /** The process ends at once and another begins. */
  void kill() {
    timers.close();
    timers = begin(false);
  }

  /** The process ends in order and another begins. */
  void restart() throws IOException {
    stop();
    timers = begin(false);
  }

  void stop() throws IOException {
    timers.end();
    writeDown();
    timers.close();
  }

  /** A slave begins over the same log and files. */
  void beginAsSlave() {
    timers.close();
    timers = begin(true);
  }

  List<StoredMessage> delivered() {
    return log.queue("orders", 3);
  }

  List<String> deliveredKeys() {
    return delivered().stream().map(message -> message.property("UNIQ_KEY")).toList();
  }
}
