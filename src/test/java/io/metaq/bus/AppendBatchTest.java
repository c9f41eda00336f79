package io.metaq.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.AppendStatus;
import io.metaq.model.QueueHandle;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class AppendBatchTest {
  private static final QueueHandle QUEUE = new QueueHandle("orders", 0);
  private static final int KEPT_BYTES = 1024 * 1024;

  private final GiantBuffers giants = new GiantBuffers(KEPT_BYTES);
  private final AppendBatch batch = new AppendBatch(3, giants);

  @Test
  void shouldLayRecordsBackToBack() {
    batch.add(QUEUE, 100);
    batch.add(QUEUE, 50);

    assertThat(batch.count()).isEqualTo(2);
    assertThat(batch.start(1)).isEqualTo(100);
    assertThat(batch.end()).isEqualTo(150);
    assertThat(batch.unitEnd(0)).isEqualTo(1);
  }

  @Test
  void shouldJoinTheMessagesOfAProducerBatchIntoOneUnit() {
    batch.add(QUEUE, 10);
    int first = batch.count();
    batch.add(QUEUE, 10);
    batch.add(QUEUE, 10);
    batch.unit(first);

    assertThat(batch.unitEnd(0)).isEqualTo(1);
    assertThat(batch.unitEnd(1)).isEqualTo(3);
  }

  @Test
  void shouldTakeAGiantOnlyWhenItIsEmpty() {
    assertThat(batch.reserve(100)).isTrue();
    batch.add(QUEUE, 100);

    assertThat(batch.reserve(AppendBatch.CAPACITY)).isFalse();

    batch.clear();

    assertThat(batch.reserve(AppendBatch.CAPACITY + 1)).isTrue();
    assertThat(batch.bytes().capacity()).isGreaterThan(AppendBatch.CAPACITY);
  }

  @Test
  void shouldTakeBackTheLastRecords() {
    batch.add(QUEUE, 100);
    batch.add(QUEUE, 50);
    batch.add(QUEUE, 50);

    batch.takeBack(1);
    batch.takeBack(batch.count());

    assertThat(batch.count()).isEqualTo(1);
    assertThat(batch.end()).isEqualTo(100);
  }

  @Test
  void shouldGiveAGiantBackOfWhichEverythingIsTakenBack() {
    batch.reserve(AppendBatch.CAPACITY + 1);
    batch.takeBack(0);
    batch.reserve(AppendBatch.CAPACITY + 1);
    batch.add(QUEUE, 100);
    batch.takeBack(0);

    assertThat(batch.bytes().capacity()).isEqualTo(AppendBatch.CAPACITY);
    assertThat(batch.reserve(AppendBatch.CAPACITY)).isTrue();
  }

  @Test
  void shouldLeaveAGiantAlone() {
    batch.reserve(AppendBatch.CAPACITY + 1);
    batch.add(QUEUE, AppendBatch.CAPACITY + 1);

    assertThat(batch.reserve(1)).isFalse();
  }

  @Test
  void shouldUseTheBufferOfTheGiantBeforeAgain() {
    batch.reserve(AppendBatch.CAPACITY * 2);
    ByteBuffer giant = batch.bytes();
    batch.clear();

    assertThat(batch.bytes().capacity()).isEqualTo(AppendBatch.CAPACITY);

    AppendBatch next = new AppendBatch(3, giants);
    next.reserve(AppendBatch.CAPACITY + 1);

    assertThat(next.bytes()).isSameAs(giant);
  }

  @Test
  void shouldNotKeepABufferBeyondTheBound() {
    batch.reserve(KEPT_BYTES + 1);
    ByteBuffer giant = batch.bytes();
    batch.clear();
    batch.reserve(KEPT_BYTES + 1);

    assertThat(batch.bytes()).isNotSameAs(giant);
  }

  @Test
  void shouldRefuseOnlyWhatHasNoOutcomeYet() {
    batch.add(QUEUE, 10);
    batch.add(QUEUE, 10);
    batch.stored(0, 1000, 7);

    batch.refuseRest(AppendStatus.FAILED, "why");

    assertThat(batch.status(0)).isEqualTo(AppendStatus.STORED);
    assertThat(batch.endOffset(0)).isEqualTo(1010);
    assertThat(batch.status(1)).isEqualTo(AppendStatus.FAILED);
    assertThat(batch.detail(1)).isEqualTo("why");
  }

  @Test
  void shouldGrowItsColumns() {
    for (int i = 0; i < 1000; i++) {
      batch.add(QUEUE, 1);
      batch.stored(i, i, i);
    }

    assertThat(batch.phyOffset(999)).isEqualTo(999);
    assertThat(batch.queueOffset(64)).isEqualTo(64);
    assertThat(batch.sender()).isEqualTo(3);
  }
}
