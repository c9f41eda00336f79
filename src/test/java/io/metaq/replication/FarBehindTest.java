package io.metaq.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.FreePorts;
import io.metaq.model.BrokerRole;
import io.metaq.replication.RawSlave.Transfer;
import io.metaq.store.DiskMarks;
import io.metaq.store.RetentionOptions;
import io.metaq.store.StoreOptions;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slave that is so far behind that its master's log goes from the files to the socket; each file holds one message and a blank tail. */
class FarBehindTest {
  private static final int FILES = 300;
  private static final int BODY = 60_000;
  private static final long HEARTBEAT_MS = 100;
  private static final long HOUR_MS = 3_600_000;
  private static final int CUT_BEHIND = 3_000_011;

  @TempDir Path folder;
  private TestMaster master;
  private long end;

  private void start(boolean nativeTransport) throws Exception {
    RetentionOptions keepsLittle = new RetentionOptions(72 * HOUR_MS, Set.of(), 1, true, DiskMarks.DEFAULT);
    master = new TestMaster(TestNode.storeOptions(folder.resolve("master"), false).withRetention(keepsLittle),
        TestNode.master(1, HEARTBEAT_MS), nativeTransport);
    end = master.append(FILES, BODY);
  }

  @AfterEach
  void stop() throws Exception {
    master.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldGetWhatItsMasterHasByteForByte(boolean nativeTransport) throws Exception {
    start(nativeTransport);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(TransferHeader.FROM_FIRST_FILE);

      assertThat(slave.receive(0, end)).isEqualTo(master.bytes(0, end));
    }
  }

  /** Up to the longest piece that haTransferBatchSize permits, which is what is read ahead at a time. */
  @ParameterizedTest
  @ValueSource(ints = {1024, 5 << 19, 3 << 20, 4 << 20})
  void shouldGetItInPiecesOfAnyPermittedLength(int batchBytes) throws Exception {
    ReplicationOptions pieces = new ReplicationOptions(
        BrokerRole.ASYNC_MASTER, "127.0.0.1", FreePorts.next(), HEARTBEAT_MS, 20_000, batchBytes, 0, 1, Optional.empty());
    master = new TestMaster(StoreOptions.of(folder.resolve("master")).withSizes(10 << 20, 6000, 1000, 10_000), pieces, true);
    end = master.append(33, 1_000_000);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(TransferHeader.FROM_FIRST_FILE);

      assertThat(slave.receive(0, end)).isEqualTo(master.bytes(0, end));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldGoOnWhereItWasCut(boolean nativeTransport) throws Exception {
    start(nativeTransport);

    try (Relay relay = new Relay(master.port); TestSlave slave = new TestSlave(folder.resolve("slave"), false)) {
      relay.cutBehind = CUT_BEHIND;
      slave.follow(master.brokerPort, relay.port());
      slave.awaitEnd(end);

      assertThat(relay.connections).as("it was cut now and then").isGreaterThan((int) (end / CUT_BEHIND));
      assertThat(slave.bytes(0, end)).isEqualTo(master.bytes(0, end));
      TestNode.until("each message once", () -> slave.store.view().maxOffset(TestNode.TOPIC, 0) == FILES);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldGetWhatWasUnderWayWhenItsMasterDeletedIt(boolean nativeTransport) throws Exception {
    start(nativeTransport);
    byte[] all = master.bytes(0, end);
    TestNode.until("nothing holds files back", () -> master.store.dispatcher().dispatchedOffset() == end);
    TestNode.until("nor does the disk", () -> master.store.flusher().flushedOffset() == end);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(TransferHeader.FROM_FIRST_FILE);
      Transfer first = slave.receive();
      TestNode.until("more is under way", () -> master.progress.peers().stream().anyMatch(peer -> peer.sent() > 3L * first.body().length));
      int deleted = master.store.retention().clean();
      while (deleted > 0) {
        deleted = master.store.retention().clean();
      }
      ByteArrayOutputStream got = new ByteArrayOutputStream();
      Transfer transfer = first;
      while (transfer.body().length > 0) {
        assertThat(transfer.phyOffset()).isEqualTo(got.size());
        got.write(transfer.body());
        transfer = slave.receive();
      }

      assertThat(master.store.view().firstOffset()).as("nearly all was deleted").isGreaterThan(end - 3L * TestNode.LOG_FILE);
      assertThat(got.size()).isGreaterThan(2 * first.body().length);
      assertThat(got.toByteArray()).isEqualTo(Arrays.copyOf(all, got.size()));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldBeCutOffWhereAFileOfItsMasterIsTooShort(boolean nativeTransport) throws Exception {
    start(nativeTransport);
    byte[] all = master.bytes(0, end);
    int damaged = 9 * TestNode.LOG_FILE;
    int left = 40_001;
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("master/commitlog/" + String.format("%020d", damaged)).toFile(), "rw")) {
      file.setLength(left);
    }

    try (RawSlave slave = new RawSlave(master.port); RawSlave other = new RawSlave(master.port)) {
      slave.report(TransferHeader.FROM_FIRST_FILE);
      ByteArrayOutputStream got = new ByteArrayOutputStream();
      boolean open = true;
      while (open) {
        try {
          got.write(slave.receive().body());
        } catch (EOFException ended) {
          open = false;
        }
      }
      other.report(damaged + TestNode.LOG_FILE);

      assertThat(got.size()).as("whole transfers in front of the gap").isBetween(damaged, damaged + left);
      assertThat(got.toByteArray()).isEqualTo(Arrays.copyOf(all, got.size()));
      assertThat(other.receive(damaged + TestNode.LOG_FILE, end)).isEqualTo(Arrays.copyOfRange(all, damaged + TestNode.LOG_FILE, all.length));
    }
  }
}
