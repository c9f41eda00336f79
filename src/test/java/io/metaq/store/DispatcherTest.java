package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.store.QueueEndsText;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.codec.store.QueueEndsText.Range;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DispatcherTest {
  @TempDir
  Path root;
  @TempDir
  Path crashed;

  private final List<String> arrivals = new ArrayList<>();
  private TestStore test;

  @BeforeEach
  void open() {
    test = TestStore.open(root);
  }

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void shouldTellEachQueueThatGotMessagesOnceInARound() {
    test.append(new TestRecords().add("a", 0, "1").add("b", 0, "2").add("a", 0, "3").add("a", 1, "4"));

    boolean more = test.store.dispatcher().dispatch(1 << 20, this::arrived);

    assertThat(more).isFalse();
    assertThat(arrivals).containsExactly("a/0:2", "b/0:1", "a/1:1");
    assertThat(test.store.dispatcher().dispatchedOffset()).isEqualTo(test.store.log().appendedOffset());
    assertThat(test.store.dispatcher().isBehind()).isFalse();
  }

  @Test
  void shouldTellOnceThatAQueueBegan() {
    List<String> told = new ArrayList<>();
    ArrivalListener listener = new ArrivalListener() {
      @Override
      public void begun(String topic, int queueId) {
        told.add(topic + "/" + queueId);
      }

      @Override
      public void arrived(String topic, int queueId, long maxOffset) {
        told.add(topic + "/" + queueId + ":" + maxOffset);
      }
    };
    test.append(new TestRecords().add("a", 0, "1").add("a", 1, "2"));
    test.store.dispatcher().dispatch(1 << 20, listener);
    test.append(new TestRecords().add("a", 0, "3"));

    test.store.dispatcher().dispatch(1 << 20, listener);

    assertThat(told).containsExactly("a/0", "a/1", "a/0:1", "a/1:1", "a/0:2");
  }

  @Test
  void shouldStopAfterTheBytesAskedAndSayThatMoreWaits() {
    for (int i = 0; i < 10; i++) {
      test.append("a", 0, "message");
    }

    assertThat(test.store.dispatcher().dispatch(150, this::arrived)).isTrue();
    assertThat(arrivals).containsExactly("a/0:2");
    assertThat(test.store.dispatcher().isBehind()).isTrue();
    assertThat(test.store.dispatcher().dispatch(1 << 20, this::arrived)).isFalse();
    assertThat(arrivals).containsExactly("a/0:2", "a/0:10");
  }

  @Test
  void shouldTellNothingWhenNothingCame() {
    assertThat(test.store.dispatcher().dispatch(1 << 20, this::arrived)).isFalse();

    assertThat(arrivals).isEmpty();
  }

  @Test
  void shouldFollowManyQueues() {
    TestRecords records = new TestRecords();
    for (int i = 0; i < 1000; i++) {
      records.add("topic" + i / 10, i % 10, "m");
    }

    test.append(records);
    test.dispatch();

    for (int i = 0; i < 1000; i++) {
      assertThat(test.store.view().maxOffset("topic" + i / 10, i % 10)).isEqualTo(1);
    }
  }

  @Test
  void shouldWriteWhatPressesAloneWhereMoreQueuesFillThanFilesAreKeptOpen() {
    TestRecords records = new TestRecords();
    for (int i = 0; i <= OpenFiles.LIMIT; i++) {
      records.add("topic" + i, 0, "m");
    }
    for (int i = 0; i < 20; i++) {
      records.add("busy", 0, "m");
    }
    test.append(records);
    test.dispatch();

    test.store.dispatcher().flushQueues();
    assertThat(queueFile("busy")).exists();
    assertThat(queueFile("topic0")).doesNotExist();
    test.clock.advance(6000);
    assertThat(test.store.dispatcher().flushQueues()).isTrue();
    writeSlices();

    for (int i = 0; i <= OpenFiles.LIMIT; i++) {
      assertThat(queueFile("topic" + i)).exists();
    }
  }

  @Test
  void shouldNoteWhatWasDispatchedWhenACheckpointBeganThoughMoreCameWhileItWasWritten() throws Exception {
    appendToManyQueues();
    test.clock.advance(6000);
    long begunAt = test.store.log().appendedOffset();
    test.store.flusher().flush();
    assertThat(test.store.dispatcher().flushQueues()).isTrue();

    assertThat(test.store.dispatcher().writeSlice()).isTrue();
    appendToManyQueues();
    writeSlices();
    test.store.flusher().flush();
    test.store.checkpointer().checkpoint();

    QueueEnds noted = QueueEndsText.decode(Files.readAllBytes(root.resolve("config/queueEnds.json")));
    assertThat(noted.phyOffset()).isEqualTo(begunAt);
    assertThat(noted.queues()).hasSize(OpenFiles.LIMIT + 1);
    assertThat(noted.queues().values()).allMatch(queues -> queues.get(0).equals(new Range(0, 1)));
    TestStore.copy(root, crashed);
    try (TestStore recovered = TestStore.open(crashed)) {
      for (int i = 0; i <= OpenFiles.LIMIT; i++) {
        assertThat(recovered.bodies("topic" + i, 0)).containsExactly("m", "m");
      }
    }
  }

  @Test
  void shouldForceWhatCameWhileACheckpointWasWrittenWithTheNextOne() throws Exception {
    appendToManyQueues();
    test.clock.advance(6000);
    test.store.dispatcher().flushQueues();
    writeAllSlicesBut(1);
    appendToManyQueues();
    writeSlices();
    test.store.flusher().flush();
    test.store.checkpointer().checkpoint();

    test.clock.advance(6000);
    test.store.dispatcher().flushQueues();
    writeSlices();
    test.store.checkpointer().checkpoint();

    QueueEnds noted = QueueEndsText.decode(Files.readAllBytes(root.resolve("config/queueEnds.json")));
    assertThat(noted.phyOffset()).isEqualTo(test.store.log().appendedOffset());
    assertThat(noted.queues().values()).allMatch(queues -> queues.get(0).equals(new Range(0, 2)));
  }

  private void appendToManyQueues() {
    TestRecords records = new TestRecords();
    for (int i = 0; i <= OpenFiles.LIMIT; i++) {
      records.add("topic" + i, 0, "m");
    }
    test.append(records);
    test.dispatch();
  }

  private void writeSlices() {
    while (test.store.dispatcher().writeSlice()) {
      // until the last
    }
  }

  /** Of as many slices as the queues need. */
  private void writeAllSlicesBut(int last) {
    int slices = (OpenFiles.LIMIT + 1 + 63) / 64;
    for (int i = 0; i < slices - last; i++) {
      assertThat(test.store.dispatcher().writeSlice()).isTrue();
    }
  }

  @Test
  void shouldWriteEveryQueueAtOnceWhereTheirFilesCanAllBeKeptOpen() {
    test.append("orders", 0, "m");
    test.dispatch();

    test.store.dispatcher().flushQueues();

    assertThat(queueFile("orders")).exists();
  }

  private Path queueFile(String topic) {
    return root.resolve("consumequeue").resolve(topic).resolve("0").resolve(FileNames.ofStart(0));
  }

  private void arrived(String topic, int queueId, long maxOffset) {
    arrivals.add(topic + "/" + queueId + ":" + maxOffset);
  }
}
