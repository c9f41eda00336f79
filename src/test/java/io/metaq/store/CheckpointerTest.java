package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.store.CheckpointLayout;
import io.metaq.codec.store.QueueEndsText;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.codec.store.QueueEndsText.Range;
import io.metaq.store.Checkpointer.Plan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointerTest {
  @TempDir
  Path root;

  private TestStore test;
  private int forces;

  @BeforeEach
  void open() {
    test = TestStore.open(root);
  }

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void shouldNotCallSafeWhatTheLogMayStillLose() throws IOException {
    test.append("orders", 1, "x");
    test.dispatch();
    plan();

    test.store.checkpointer().checkpoint();
    assertThat(noted().phyOffset()).isZero();
    test.store.flusher().flush();
    test.store.checkpointer().checkpoint();

    assertThat(noted().phyOffset()).isEqualTo(test.store.log().appendedOffset());
    assertThat(noted().queues().get("orders").get(1)).isEqualTo(new Range(0, 1));
  }

  @Test
  void shouldTellTheReferenceTimesAndPlaceToo() throws IOException {
    test.clock.advance(1000);
    test.append("orders", 0, "x");
    test.checkpoint();

    byte[] file = Files.readAllBytes(root.resolve("checkpoint"));

    assertThat(file).hasSize(CheckpointLayout.FILE_SIZE);
    assertThat(CheckpointLayout.decode(file)).hasValueSatisfying(checkpoint -> {
      assertThat(checkpoint.logTimestamp()).isEqualTo(1_700_000_001_000L);
      assertThat(checkpoint.queuesTimestamp()).isEqualTo(1_700_000_001_000L);
      assertThat(checkpoint.queuesPhyOffset()).isEqualTo(test.store.log().appendedOffset());
    });
  }

  @Test
  void shouldPlanOnlyNowAndThen() throws IOException {
    test.checkpoint();
    test.append("orders", 0, "x");
    test.store.flusher().flush();
    test.dispatch();

    test.store.dispatcher().flushQueues();
    test.store.checkpointer().checkpoint();
    assertThat(noted().phyOffset()).isZero();
    plan();
    test.store.checkpointer().checkpoint();

    assertThat(noted().phyOffset()).isPositive();
  }

  @Test
  void shouldKeepTheNoteBefore() throws IOException {
    test.append("orders", 0, "x");
    test.checkpoint();
    byte[] before = Files.readAllBytes(root.resolve("config/queueEnds.json"));
    test.append("orders", 0, "y");
    test.checkpoint();

    assertThat(root.resolve("config/queueEnds.json.bak")).hasBinaryContent(before);
  }

  @Test
  void shouldNoteNothingAfterAForceThatFailed() throws IOException {
    byte[] before = Files.readAllBytes(root.resolve("config/queueEnds.json"));
    test.store.checkpointer().offer(new Plan(new QueueEnds(), 1, List.of(), this::failTheFirstTime, 1));

    test.store.checkpointer().checkpoint();
    test.store.checkpointer().checkpoint();
    test.close();

    assertThat(forces).isOne();
    assertThat(root.resolve("config/queueEnds.json")).hasBinaryContent(before);
    assertThat(root.resolve("abort")).exists();
    open();
  }

  @Test
  void shouldNotMissAFileThatWasDeletedMeanwhile() throws IOException {
    Path folder = Files.createDirectories(root.resolve("consumequeue/a/0"));
    UnitFile file = UnitFile.toBeMade(folder, 0, TestStore.QUEUE_FILE, new OpenFiles());
    file.write(ByteBuffer.allocate(20), 0);
    test.store.checkpointer().offer(new Plan(new QueueEnds(), 1, List.of(file), () -> { }, 1));
    file.delete(Disk.real());

    test.store.checkpointer().checkpoint();

    assertThat(test.store.checkpointer().wantsPlan()).isTrue();
  }

  private void failTheFirstTime() throws IOException {
    if (forces++ == 0) {
      throw new IOException("the device is gone");
    }
  }

  private void plan() {
    test.clock.advance(6000);
    test.store.dispatcher().flushQueues();
  }

  private QueueEnds noted() throws IOException {
    return QueueEndsText.decode(Files.readAllBytes(root.resolve("config/queueEnds.json")));
  }
}
