package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.StoredMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All owners at work on threads of their own, as in a broker, with readers beside them. */
class StoreReadersTest {
  private static final int QUEUES = 3;
  private static final int MESSAGES = 20_000;

  @TempDir
  Path root;

  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean stop = new AtomicBoolean();

  @Test
  void shouldShowReadersWholeMessagesInOrderWhileOthersWrite() throws Exception {
    TestStore test = TestStore.open(StoreOptions.of(root).withSizes(1 << 20, 4000, 256, 3000));
    List<Thread> owners = List.of(
        thread(() -> test.store.flusher().flush()),
        thread(() -> {
          test.store.dispatcher().dispatch(100_000, (topic, queueId, maxOffset) -> { });
          test.store.dispatcher().flushQueues();
        }),
        thread(() -> {
          test.store.preparer().prepare();
          test.store.checkpointer().checkpoint();
        }));
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int queueId = i % QUEUES;
      Thread reader = new Thread(guarded(() -> readAll(test.store.view(), queueId)));
      reader.start();
      readers.add(reader);
    }

    TestRecords records = new TestRecords();
    for (int i = 0; i < MESSAGES; i++) {
      records.add("t", i % QUEUES, "body " + i, Map.of("KEYS", "k" + i));
      if (records.count() == 50) {
        test.append(records);
        records = new TestRecords();
        test.clock.advance(10);
      }
    }
    test.append(records);

    for (Thread reader : readers) {
      reader.join();
    }
    stop.set(true);
    for (Thread owner : owners) {
      owner.join();
    }
    assertThat(failure.get()).isNull();
    test.close();
  }

  private void readAll(StoreView view, int queueId) {
    int count = (MESSAGES - queueId + QUEUES - 1) / QUEUES;
    long at = 0;
    while (at < count && failure.get() == null) {
      GetResult result = view.get("t", queueId, at, 32, 1 << 20, code -> true);
      for (StoredMessage message : TestStore.messages(result)) {
        String body = new String(message.body());
        if (message.queueOffset() != at || !body.equals("body " + (at * QUEUES + queueId))) {
          throw new AssertionError("at " + at + ": " + message.queueOffset() + " " + body);
        }
        at++;
      }
      result.release();
    }
  }

  private Thread thread(Runnable round) {
    Thread thread = new Thread(guarded(() -> {
      while (!stop.get()) {
        round.run();
        Thread.yield();
      }
    }));
    thread.start();
    return thread;
  }

  private Runnable guarded(Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (Throwable thrown) {
        failure.compareAndSet(null, thrown);
      }
    };
  }
}
