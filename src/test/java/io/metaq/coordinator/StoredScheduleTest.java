package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.bus.AppendBatch;
import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.record.StoredMessage;
import io.metaq.model.AppendStatus;
import io.metaq.model.DelayLevels;
import io.metaq.model.QueueHandle;
import io.metaq.store.GetStatus;
import io.metaq.store.MessageStore;
import io.metaq.store.StoreOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delayed delivery over a real store, without the verticles. */
class StoredScheduleTest {
  private static final byte[] HOST = {127, 0, 0, 1, 0, 0, 0x2A, (byte) 0x9F};

  @TempDir Path root;

  private final HandClock clock = new HandClock();
  private MessageStore store;

  @BeforeEach
  void open() {
    StoreOptions options =
        StoreOptions.of(root).withSizes(1 << 20, 4_000, 100, 400).withDelayMs(DelayLevels.DEFAULT::delayMs);
    store = MessageStore.open(options, clock, line -> {});
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void shouldFindNothingInAStoreWithoutDelayedMessages() {
    assertThat(deliver(newDelivery())).isZero();
  }

  @Test
  void shouldDeliverFromTheScheduleTopicToTheRealQueueWhenItsTimeHasCome() {
    for (int i = 0; i < 300; i++) {
      park(3, "orders", 2, "m" + i);
    }
    DelayedDelivery delivery = newDelivery();

    clock.advance(9_999);
    assertThat(deliver(delivery)).isZero();
    clock.advance(1);
    assertThat(deliver(delivery)).isEqualTo(300);

    assertThat(deliver(delivery)).isZero();
    assertThat(delivery.file().nextByLevel()).isEqualTo(Map.of(3, 300L));
    var result = store.view().get("orders", 2, 0, 1, 1 << 16, tagsCode -> true);
    assertThat(result.status()).isEqualTo(GetStatus.FOUND);
    StoredMessage first = StoredMessage.decode(result.slices().get(0).bytes(), 0);
    result.slices().forEach(slice -> slice.release());
    assertThat(first.body()).asString().isEqualTo("m0");
    assertThat(first.properties()).isEmpty();
    assertThat(first.storeTimestamp()).isEqualTo(clock.millis());
    assertThat(store.view().maxOffset("orders", 2)).isEqualTo(300);
  }

  private DelayedDelivery newDelivery() {
    return new DelayedDelivery(new StoredSchedule(store.view()), DelayLevels.DEFAULT, HOST, clock, Optional.empty());
  }

  /** One round; how many were delivered. */
  private int deliver(DelayedDelivery delivery) {
    AppendBatch batch = new AppendBatch(0);
    delivery.fill(batch);
    append(batch);
    assertThat(delivery.settle(batch)).isTrue();
    return batch.count();
  }

  private void park(int level, String topic, int queueId, String body) {
    byte[] scheduleTopic = "SCHEDULE_TOPIC_XXXX".getBytes(StandardCharsets.US_ASCII);
    byte[] text =
        PropertiesText.encode(
            Map.of("DELAY", Integer.toString(level), "REAL_TOPIC", topic, "REAL_QID", Integer.toString(queueId)));
    RecordEncoder encoder =
        new RecordEncoder(HOST)
            .topic(scheduleTopic, 0, scheduleTopic.length)
            .properties(text, 0, text.length)
            .body(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)))
            .born(HOST, clock.millis())
            .message(level - 1, 0, 0, 0, 0);
    AppendBatch batch = new AppendBatch(0);
    batch.reserve(encoder.size());
    encoder.writeTo(batch.bytes(), 0);
    batch.add(new QueueHandle("SCHEDULE_TOPIC_XXXX", level - 1), encoder.size());
    append(batch);
    assertThat(batch.status(0)).isEqualTo(AppendStatus.STORED);
  }

  private void append(AppendBatch batch) {
    store.log().append(batch);
    while (store.dispatcher().dispatch(1 << 20, (topic, queueId, maxOffset) -> {})) {
      // Goes on until the end of the log.
    }
  }
}
