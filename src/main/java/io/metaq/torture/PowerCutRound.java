package io.metaq.torture;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.StoredMessage;
import io.metaq.model.AppendStatus;
import io.metaq.model.OwnedBy;
import io.metaq.store.Disk;
import io.metaq.store.FlushMode;
import io.metaq.store.GetResult;
import io.metaq.store.KeyKind;
import io.metaq.store.MessageStore;
import io.metaq.store.RecordSlice;
import io.metaq.store.StoreException;
import io.metaq.store.StoreOptions;
import io.metaq.store.inspect.Finding.Severity;
import io.metaq.store.inspect.Inspection;
import io.metaq.store.inspect.StoreInspector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Several lives of one store over a {@link Platter}, each ended by a power cut: at a random force, in the middle of work, of a start or of
 * a close, or between two steps. What is left is opened again and compared. At times the process is killed before, so that it is the next
 * one that has to force what was left in memory.
 *
 * <p>One thread plays all: it lets the store's parts take steps in random order, and while one of them waits for the disk it lets others
 * go on, as their threads would. So a round is the same each time it is run with the same seed.
 */
@OwnedBy("the thread that runs it")
final class PowerCutRound {
  private static final int LIVES = 4;
  private static final int KILLS_AT_MOST = 2;
  private static final int TOPICS = 3;
  private static final int QUEUES = 2;
  private static final int KEY_CHECKED_ONE_IN = 16;
  private static final int READ_AT_ONCE = 32;
  private static final int READ_BYTES = 1 << 20;
  private static final int DISPATCH_BYTES = 1 << 20;
  private static final int MAX_DEPTH = 3;

  /** The threads a broker gives to its store. */
  private enum Part {
    WRITER,
    FLUSH,
    DISPATCH,
    HOUSEKEEPING
  }

  /** An acknowledgement that waits for its force. */
  private record Waiting(Place place, long number, long endOffset) {}

  private final Path folder;
  private final FlushMode mode;
  private final RandomGenerator random;
  private final UnaryOperator<Disk> view;
  private final StoreSizes sizes;
  private final Ledger ledger = new Ledger();
  private final RecordCheck recordCheck = new RecordCheck(true);
  private final SteppedClock clock = new SteppedClock();
  private final PendingMessages messages;
  private final Set<Part> busy = EnumSet.noneOf(Part.class);
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private MessageStore store;
  private long forcesUntilCut;
  /** Whether the power was cut since a start last succeeded. */
  private boolean powerLost;
  private boolean working;
  private int repaired;

  /**
   * A round that is yet to be run.
   *
   * @param folder an empty folder for its files
   */
  PowerCutRound(Path folder, FlushMode mode, RandomGenerator random) {
    this(folder, mode, random, platter -> platter);
  }

  /** A round in which the store sees the platter through {@code view}, to show what a store would lose that does not force all it should. */
  PowerCutRound(Path folder, FlushMode mode, RandomGenerator random, UnaryOperator<Disk> view) {
    this.view = view;
    this.folder = folder.toAbsolutePath();
    this.mode = mode;
    this.random = random;
    this.sizes = StoreSizes.random(random);
    this.messages = new PendingMessages(clock, TOPICS, QUEUES);
  }

  RoundResult run() throws IOException {
    Path here = Files.createDirectories(folder.resolve("life0"));
    for (int life = 1; life <= LIVES; life++) {
      Path next = folder.resolve("life" + life);
      live(here, next);
      here = next;
    }
    forcesUntilCut = Long.MAX_VALUE;
    try (Platter platter = new Platter(here, new Moments())) {
      open(platter, here);
      store.close();
      inspect(here, "after it was closed");
    } catch (StoreException failure) {
      ledger.fault("the last start or close failed: " + failure.getMessage());
    }
    return RoundResult.of(Kind.POWER_CUT, mode, ledger, repaired);
  }

  /** From a start in the folder {@code here} to a power cut, which leaves {@code next}; in between the process may be killed. */
  private void live(Path here, Path next) throws IOException {
    try (Platter platter = new Platter(here, new Moments())) {
      int kills = random.nextInt(KILLS_AT_MOST + 1);
      for (int i = 0; i <= kills; i++) {
        liveUntilKilled(platter, here);
        if (i < kills) {
          letGo();
        }
      }
      platter.cut(next, random);
      powerLost = true;
      letGo();
    }
  }

  private void liveUntilKilled(Platter platter, Path here) throws IOException {
    forcesUntilCut = random.nextInt(3) == 0 ? random.nextInt(1, 40) : random.nextInt(40, 600);
    try {
      open(platter, here);
      work();
      if (random.nextInt(3) == 0) {
        MessageStore ending = store;
        store = null;
        ending.close();
      }
    } catch (PowerCut cut) {
      working = false;
      busy.clear();
    } catch (StoreException | IllegalStateException failure) {
      ledger.fault("the store failed: " + failure.getMessage());
    }
  }

  /** Unmaps and unlocks. What it writes meanwhile it may have written before; nothing is forced. */
  private void letGo() {
    forcesUntilCut = 0;
    waiting.clear();
    if (store != null) {
      try {
        store.close();
      } catch (PowerCut | StoreException | IllegalStateException expected) {
        // it cannot force
      }
      store = null;
    }
  }

  private void open(Platter platter, Path here) throws IOException {
    StoreOptions options = sizes.options(here.resolve("store")).withFlushMode(mode);
    boolean unclean = Files.exists(options.abortFile());
    store = null;
    store = MessageStore.open(options, clock, line -> { }, view.apply(platter));
    repaired += unclean ? 1 : 0;
    messages.bindTo(store);
    store.flusher().flush();
    dispatchAll();
    if (!powerLost) {
      // A kill leaves the files as they were written.
      ledger.promise();
    }
    compare();
    powerLost = false;
    inspect(here, "after a start");
  }

  private void work() throws IOException {
    working = true;
    int steps = random.nextInt(4) == 0 ? random.nextInt(5) : random.nextInt(20, 300);
    for (int i = 0; i < steps; i++) {
      step(Part.values()[random.nextInt(Part.values().length)]);
    }
    working = false;
  }

  private void step(Part part) throws IOException {
    // The writer waits for a chunk that is being prepared, which here would be for ever.
    if (part == Part.WRITER && busy.contains(Part.HOUSEKEEPING) || !busy.add(part)) {
      return;
    }
    clock.advance(random.nextInt(20));
    switch (part) {
      case WRITER -> append();
      case FLUSH -> flush();
      case DISPATCH -> dispatch();
      case HOUSEKEEPING -> keepHouse();
    }
    busy.remove(part);
  }

  private void append() {
    messages.fill(random.nextInt(1, 12), random, ledger);
    store.log().append(messages.batch());
    for (int i = 0; i < messages.count(); i++) {
      if (messages.batch().status(i) != AppendStatus.STORED) {
        ledger.fault("a message was refused: " + messages.batch().detail(i));
        continue;
      }
      Waiting stored = new Waiting(messages.place(i), messages.number(i), messages.batch().endOffset(i));
      if (mode == FlushMode.ASYNC_FLUSH) {
        ledger.acknowledged(stored.place, stored.number);
      }
      waiting.add(stored);
    }
  }

  private void flush() {
    long flushed = store.flusher().flush();
    Iterator<Waiting> stored = waiting.iterator();
    while (stored.hasNext()) {
      Waiting next = stored.next();
      if (next.endOffset > flushed) {
        return;
      }
      if (mode == FlushMode.SYNC_FLUSH) {
        ledger.acknowledged(next.place, next.number);
      }
      ledger.promise(next.place);
      stored.remove();
    }
  }

  private void dispatch() {
    store.dispatcher().dispatch(random.nextInt(1, DISPATCH_BYTES), (topic, queueId, maxOffset) -> { });
    if (random.nextInt(3) == 0) {
      clock.advance(random.nextInt(3_000));
      store.dispatcher().flushQueues();
    }
  }

  private void keepHouse() {
    if (random.nextBoolean()) {
      store.preparer().prepare();
    } else {
      store.checkpointer().checkpoint();
    }
  }

  private void dispatchAll() {
    while (store.dispatcher().dispatch(DISPATCH_BYTES, (topic, queueId, maxOffset) -> { })) {
      // until nothing is left
    }
  }

  private void compare() {
    Map<Place, byte[]> found = new HashMap<>();
    for (int topic = 0; topic < TOPICS; topic++) {
      for (int queueId = 0; queueId < QUEUES; queueId++) {
        readAll(PendingMessages.topic(topic), queueId, found);
      }
    }
    ledger.compare(found);
  }

  private void readAll(String topic, int queueId, Map<Place, byte[]> found) {
    long at = store.view().minOffset(topic, queueId);
    long end = store.view().maxOffset(topic, queueId);
    while (at < end) {
      GetResult result = store.view().get(topic, queueId, at, READ_AT_ONCE, READ_BYTES, tagsCode -> true);
      long expected = at;
      for (RecordSlice slice : result.slices()) {
        expected = readSlice(slice, new Place(topic, queueId, expected), found);
      }
      result.release();
      if (expected == at || result.nextOffset() != expected) {
        ledger.fault("reading from " + new Place(topic, queueId, at) + " on came to " + expected + " and is to go on at "
            + result.nextOffset() + ", the queue ends at " + end + ": " + result.status());
        return;
      }
      at = expected;
    }
  }

  /** Returns the queue offset behind the last message. */
  private long readSlice(RecordSlice slice, Place first, Map<Place, byte[]> found) {
    long expected = first.queueOffset();
    int at = 0;
    while (at < slice.size()) {
      if (recordCheck.check(slice.bytes(), at, slice.size(), slice.phyOffset() + at) != RecordCheck.Verdict.RECORD) {
        ledger.fault("bytes are served that are no message, at " + new Place(first.topic(), first.queueId(), expected));
        return expected;
      }
      StoredMessage message = StoredMessage.decode(slice.bytes(), at);
      at += message.size();
      check(message, new Place(first.topic(), first.queueId(), expected++));
      found.put(new Place(message.topic(), message.queueId(), message.queueOffset()), message.body());
    }
    return expected;
  }

  private void check(StoredMessage message, Place expected) {
    Place place = new Place(message.topic(), message.queueId(), message.queueOffset());
    if (!place.equals(expected)) {
      ledger.fault("at " + expected + " stands the message of " + place);
    }
    String key = message.property("KEYS");
    if (random.nextInt(KEY_CHECKED_ONE_IN) == 0) {
      List<RecordSlice> byKey = store.view().byKey(message.topic(), key, 1, 0, Long.MAX_VALUE, KeyKind.ANY);
      if (byKey.isEmpty()) {
        ledger.fault("the message at " + place + " is not found by its key " + key);
      }
      byKey.forEach(RecordSlice::release);
    }
  }

  private void inspect(Path here, String when) throws IOException {
    StoreOptions options = sizes.options(here.resolve("store")).withFlushMode(mode);
    Inspection inspection = new StoreInspector(options, (area, done, total) -> { }).inspect();
    inspection.findings(Severity.DAMAGE).forEach(damage ->
        ledger.fault("damage " + when + ": " + damage.file() + " at " + damage.place() + ": " + damage.what()));
  }

  /** The power goes at some force; until then others go on while one waits. */
  private final class Moments implements Platter.Moments {
    private int depth;

    @Override
    public void before() {
      if (--forcesUntilCut < 0) {
        throw new PowerCut();
      }
    }

    @Override
    public void meanwhile() {
      if (!working || depth >= MAX_DEPTH) {
        return;
      }
      depth++;
      try {
        for (int i = random.nextInt(3); i > 0; i--) {
          step(Part.values()[random.nextInt(Part.values().length)]);
        }
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      } finally {
        depth--;
      }
    }
  }
}
