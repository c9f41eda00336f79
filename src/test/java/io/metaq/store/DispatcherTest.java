package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

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
    test.store.dispatcher().flushQueues();

    for (int i = 0; i <= OpenFiles.LIMIT; i++) {
      assertThat(queueFile("topic" + i)).exists();
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
