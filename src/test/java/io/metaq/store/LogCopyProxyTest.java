package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.bus.BusAddress;
import io.metaq.bus.CopiedPiece;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.store.service.GrowthProxy;
import io.metaq.store.service.LogCopyProxy;
import io.metaq.store.service.LogCopyVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The thread of the test is the loop that follows the master. */
class LogCopyProxyTest {
  private static final long PATIENCE_S = 60;
  /** More than is copied on the loop. */
  private static final int LONG_BODY = 40_000;

  @TempDir Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final Nudge dispatch = new Nudge();
  private final BlockingQueue<CopiedPiece> copied = new ArrayBlockingQueue<>(8);
  private TestStore slave;
  private LogCopyProxy proxy;

  @BeforeEach
  void start() throws Exception {
    LocalBus.install(vertx);
    slave = TestStore.open(folder.resolve("slave"));
    GrowthProxy growth = new GrowthProxy(vertx, slave.store.log(), false, dispatch, new Nudge());
    proxy = new LogCopyProxy(vertx, slave.store.logCopy(), growth);
    vertx.eventBus().<CopiedPiece>localConsumer(BusAddress.COPIED, message -> copied.add(message.body()));
    vertx.deployVerticle(new LogCopyVerticle(slave.store.logCopy(), growth), new DeploymentOptions()
        .setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName("writer").setWorkerPoolSize(1)).await();
  }

  @AfterEach
  void stop() {
    proxy.close();
    vertx.close().await();
    slave.close();
  }

  @Test
  void shouldAppendASmallPieceOnTheLoopWhereTheFilesArePrepared() {
    slave.store.preparer().prepare();
    CopiedPiece piece = piece(0, masterLog(2, "small"));

    assertThat(proxy.takesHere(piece)).isTrue();
    proxy.append(piece);

    assertThat(piece.fault()).isEmpty();
    assertThat(piece.appendedOffset()).isEqualTo(piece.size());
    assertThat(slave.store.log().appendedOffset()).isEqualTo(piece.size());
  }

  @Test
  void shouldTellThoseThatFollowTheLogOnlyWhenTheMasterWasTold() {
    slave.store.preparer().prepare();
    CopiedPiece piece = piece(0, masterLog(1, "small"));

    proxy.append(piece);
    assertThat(dispatch.raise()).as("nobody had raised it").isTrue();
    dispatch.take();
    proxy.grown(0, piece.size());

    assertThat(dispatch.raise()).as("it is on its way").isFalse();
  }

  /** To write there may wait for the disk, or find it full. */
  @Test
  void shouldLeaveToTheWriterWhatIsNotPrepared() {
    long prepared = slave.store.preparer().preparedOffset();

    assertThat(proxy.takesHere(piece(prepared - 2, new byte[2]))).isTrue();
    assertThat(proxy.takesHere(piece(prepared - 1, new byte[2]))).isFalse();
  }

  @Test
  void shouldLeaveALongPieceToTheWriter() throws Exception {
    CopiedPiece piece = piece(0, masterLog(1, "x".repeat(LONG_BODY)));

    assertThat(proxy.takesHere(piece)).isFalse();
    proxy.lend(piece);

    assertThat(back().appendedOffset()).isEqualTo(piece.size());
  }

  /** Else there would be two writers of one log, and the small piece would lie in front of what comes before it. */
  @Test
  void shouldNotAppendOnTheLoopBeforeEveryPieceIsBack() throws Exception {
    slave.store.preparer().prepare();
    byte[] log = masterLog(3, "small");
    int third = log.length / 3;
    CopiedPiece last = piece(2L * third, part(log, 2 * third, third));

    proxy.lend(piece(0, part(log, 0, third)));
    proxy.lend(piece(third, part(log, third, third)));
    assertThat(proxy.takesHere(last)).isFalse();
    back();
    assertThat(proxy.takesHere(last)).isFalse();
    back();

    assertThat(proxy.takesHere(last)).isTrue();
    proxy.append(last);
    assertThat(last.fault()).isEmpty();
    assertThat(slave.store.log().appendedOffset()).isEqualTo(log.length);
  }

  @Test
  void shouldSayWhyAPieceWasNotTakenOnTheLoop() {
    slave.store.preparer().prepare();
    byte[] garbled = masterLog(1, "small");
    garbled[5] ^= 1;
    CopiedPiece piece = piece(0, garbled);

    proxy.append(piece);

    assertThat(piece.fault()).get().asString().contains("no record that could be kept");
    assertThat(slave.store.log().appendedOffset()).isZero();
  }

  /** Seen before: an error was thrown through the loop, the piece counted as under way for ever, and the slave never came back. */
  @Test
  void shouldGiveAPieceBackThatAnErrorStopped() throws Exception {
    slave.store.preparer().prepare();
    CopiedPiece piece = piece(0, masterLog(1, "small"));
    Thread another = new Thread(() -> slave.store.logCopy().append(0, ByteBuffer.allocate(0), 0), "second writer");
    another.start();
    another.join();

    proxy.append(piece);

    assertThat(piece.fault()).get().asString().contains("the append failed").contains("second writer");
    assertThat(piece.appendedOffset()).isZero();
  }

  private CopiedPiece back() throws InterruptedException {
    CopiedPiece piece = copied.poll(PATIENCE_S, TimeUnit.SECONDS);
    proxy.returned();
    return piece;
  }

  private static CopiedPiece piece(long phyOffset, byte[] bytes) {
    CopiedPiece piece = new CopiedPiece(0);
    piece.begin(phyOffset);
    piece.put(ByteBuffer.wrap(bytes));
    return piece;
  }

  private static byte[] part(byte[] log, int from, int length) {
    return Arrays.copyOfRange(log, from, from + length);
  }

  private byte[] masterLog(int messages, String body) {
    try (TestStore master = TestStore.open(folder.resolve("master"))) {
      for (int i = 0; i < messages; i++) {
        master.append("orders", 0, body);
      }
      int end = (int) master.store.log().appendedOffset();
      LogRange range = master.store.view().range(0, end).orElseThrow();
      byte[] log = new byte[end];
      range.bytes().duplicate().get(log);
      range.release();
      return log;
    }
  }
}
