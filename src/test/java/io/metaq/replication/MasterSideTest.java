package io.metaq.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.replication.RawSlave.Transfer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterSideTest {
  private static final int THREE_FILES_OF_MESSAGES = 150;
  private static final int BODY = 1_000;

  @TempDir Path folder;
  private TestNode master;

  @BeforeEach
  void start() throws Exception {
    master = new TestNode(folder, false, TestNode.master(1));
  }

  @AfterEach
  void stop() throws Exception {
    master.close();
  }

  @Test
  void shouldBeginWithTheLastFileForASlaveThatHasNothing() throws Exception {
    long end = master.append(THREE_FILES_OF_MESSAGES, BODY);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(0);

      assertThat(slave.receive().phyOffset()).isEqualTo(2L * TestNode.LOG_FILE).isLessThan(end);
    }
  }

  @Test
  void shouldBeginWithTheFirstFileForASlaveOfOursThatHasNothing() throws Exception {
    long end = master.append(THREE_FILES_OF_MESSAGES, BODY);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(TransferHeader.FROM_FIRST_FILE);

      assertThat(slave.receive(0, end)).isEqualTo(master.bytes(0, end));
    }
  }

  @Test
  void shouldBeginWhereASlaveStands() throws Exception {
    master.append(1, BODY);
    long from = master.append(2, BODY);
    long end = master.append(2, BODY);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(from);

      assertThat(slave.receive(from, end)).isEqualTo(master.bytes(from, end));
    }
  }

  @Test
  void shouldNeverLetATransferCrossAFileNorExceedTheBatch() throws Exception {
    long end = master.append(THREE_FILES_OF_MESSAGES, BODY);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(TransferHeader.FROM_FIRST_FILE);
      long at = 0;
      while (at < end) {
        Transfer transfer = slave.receive();
        long last = transfer.phyOffset() + transfer.body().length - 1;

        assertThat(transfer.body().length).isLessThanOrEqualTo(32 * 1024);
        assertThat(last / TestNode.LOG_FILE).isEqualTo(transfer.phyOffset() / TestNode.LOG_FILE);
        at = last + 1;
      }
    }
  }

  @Test
  void shouldSendWhatIsAppendedLater() throws Exception {
    long from = master.append(1, BODY);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(from);
      for (int i = 0; i < 20; i++) {
        long end = master.append(1, BODY);

        assertThat(slave.receive(from, end)).isEqualTo(master.bytes(from, end));
        from = end;
      }
    }
  }

  @Test
  void shouldTellWhatASlaveHasAcknowledged() throws Exception {
    long first = master.append(1, BODY);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(first);
      TestNode.until("the first report counts", () -> master.progress.inSyncOffset() == first);
      long second = master.append(1, BODY);
      slave.receive(first, second);
      slave.report(second);

      TestNode.until("loops hear of it", () -> master.replicated.contains(second));
      assertThat(master.progress.inSyncOffset()).isEqualTo(second);
    }
    TestNode.until("a slave that is gone does not count", () -> master.progress.inSyncOffset() == -1);
  }

  @Test
  void shouldTakeTheLastOfReportsThatComeTogether() throws Exception {
    long first = master.append(1, BODY);
    long second = master.append(1, BODY);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.send(ByteBuffer.allocate(16).putLong(first).putLong(second).array());

      TestNode.until("the last counts", () -> master.progress.inSyncOffset() == second);
    }
  }

  @Test
  void shouldRefuseAnAcknowledgementOfWhatWasNotSent() throws Exception {
    long end = master.append(1, BODY);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(end);
      TestNode.until("it counts", () -> master.progress.inSyncOffset() == end);
      slave.report(end + 1);

      assertThat(slave.isRefused()).isTrue();
      assertThat(master.replicated).doesNotContain(end + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MAX_VALUE, 1L << 40})
  void shouldRefuseAPositionThatCannotBe(long wanted) throws Exception {
    master.append(1, BODY);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(wanted);

      assertThat(slave.isRefused()).isTrue();
    }
    shouldBeginWhereASlaveStands();
  }

  @Test
  void shouldRefuseStrangersAndServeOn() throws Exception {
    master.append(1, BODY);
    byte[] noise = new byte[4096];
    new Random(4).nextBytes(noise);
    noise[0] = 0x55;

    try (RawSlave browser = new RawSlave(master.port); RawSlave other = new RawSlave(master.port)) {
      browser.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      other.send(noise);

      assertThat(browser.isRefused()).isTrue();
      assertThat(other.isRefused()).isTrue();
    }
    shouldBeginWhereASlaveStands();
  }

  @Test
  void shouldGiveThePlaceOfOneThatSaysNothingToANewcomer() throws Exception {
    List<RawSlave> mute = new ArrayList<>();
    try {
      for (int i = 0; i < SlaveSessions.MAX_SESSIONS; i++) {
        mute.add(new RawSlave(master.port));
      }

      shouldBeginWhereASlaveStands();

      assertThat(mute.get(0).isRefused()).as("the one that was silent for longest").isTrue();
      mute.get(1).report(0);
      assertThat(mute.get(1).receive().phyOffset()).as("the others are still there").isZero();
    } finally {
      for (RawSlave slave : mute) {
        slave.close();
      }
    }
  }

  @Test
  void shouldGiveASlaveTheLastMessagesBeforeItStops() throws Exception {
    long from = master.append(1, BODY);

    try (RawSlave slave = new RawSlave(master.port)) {
      slave.report(from);
      TestNode.until("it counts", () -> master.progress.inSyncOffset() == from);
      long end = master.append(50, BODY);
      master.stopReplication();

      assertThat(slave.receive(from, end)).isEqualTo(master.bytes(from, end));
      assertThat(slave.isRefused()).isTrue();
    }
  }
}
