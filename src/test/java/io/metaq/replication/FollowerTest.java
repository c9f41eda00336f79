package io.metaq.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.ResultCode;
import io.metaq.store.GetResult;
import io.metaq.store.NewBeginning;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FollowerTest {
  private static final int THREE_FILES_OF_MESSAGES = 150;
  private static final int BODY = 1_000;
  private static final long HEARTBEAT_MS = 100;

  @TempDir Path folder;
  private TestMaster master;

  @BeforeEach
  void start() throws Exception {
    master = new TestMaster(folder.resolve("master"), false, TestNode.master(1, HEARTBEAT_MS));
  }

  @AfterEach
  void stop() throws Exception {
    master.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldCopyAMastersLogFromItsFirstByteOnAndGoOn(boolean foreign) throws Exception {
    master.foreign = foreign;
    long end = master.append(THREE_FILES_OF_MESSAGES, BODY);

    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      slave.awaitEnd(end);
      long later = master.append(100, 100);
      slave.awaitEnd(later);

      assertThat(slave.bytes(0, later)).isEqualTo(master.bytes(0, later));
      TestNode.until("the master knows", () -> master.progress.inSyncOffset() == later);
      TestNode.until("consumers see it", () -> slave.store.view().maxOffset(TestNode.TOPIC, 0) == THREE_FILES_OF_MESSAGES + 100);
    }
  }

  @Test
  void shouldFollowAMasterThatHasNothingYet() throws Exception {
    master.foreign = true;
    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      slave.awaitState("TRANSFER");
      long end = master.append(3, BODY);

      slave.awaitEnd(end);
    }
  }

  @Test
  void shouldAcknowledgeWhatIsOnItsDiskUnderSyncFlush() throws Exception {
    try (TestSlave slave = new TestSlave(folder.resolve("slave"), true).follow(master)) {
      for (int i = 0; i < 20; i++) {
        long end = master.append(1, BODY);
        TestNode.until("acknowledged", () -> master.progress.inSyncOffset() == end);

        assertThat(slave.store.flusher().flushedOffset()).isEqualTo(end);
      }
    }
  }

  /** The loop appends the small ones itself and lends the log for the large ones; both ways meet at every border. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldTakeSmallAndLargePiecesInTurnOnPreparedFiles(boolean syncFlush) throws Exception {
    try (TestSlave slave = new TestSlave(folder.resolve("slave"), syncFlush)) {
      slave.store.preparer().prepare();
      slave.follow(master);
      long end = 0;
      for (int i = 0; i < 40; i++) {
        master.append(i % 7, BODY);
        end = master.append(1, i % 3 == 0 ? TestNode.LOG_FILE / 3 * 2 : 10);
        if (i % 5 == 0) {
          slave.awaitEnd(end);
          slave.store.preparer().prepare();
        }
      }
      slave.awaitEnd(end);
      long last = end;
      TestNode.until("acknowledged", () -> master.progress.inSyncOffset() == last);

      assertThat(slave.bytes(0, end)).isEqualTo(master.bytes(0, end));
    }
  }

  @Test
  void shouldGoOnWhereItStoppedAfterARestart() throws Exception {
    long first = master.append(20, BODY);
    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      slave.awaitEnd(first);
    }
    long end = master.append(THREE_FILES_OF_MESSAGES, BODY);

    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      assertThat(slave.end()).isEqualTo(first);
      slave.awaitEnd(end);

      assertThat(slave.bytes(0, end)).isEqualTo(master.bytes(0, end));
    }
  }

  @Test
  void shouldLoseAndDoubleNothingWhereverTheConnectionIsCut() throws Exception {
    long end = master.append(3, 1);
    try (Relay relay = new Relay(master.port); TestSlave slave = new TestSlave(folder.resolve("slave"), false)) {
      relay.cutBehind = TransferHeader.SIZE;
      slave.follow(master.brokerPort, relay.port());
      while (slave.end() < end) {
        int seen = relay.connections;
        TestNode.until("another connection", () -> relay.connections > seen || slave.end() >= end);
        relay.cutBehind++;
      }

      assertThat(relay.connections).as("it was cut in a record, byte by byte").isGreaterThan((int) (end / 3));
      assertThat(slave.bytes(0, end)).isEqualTo(master.bytes(0, end));
      TestNode.until("each message once", () -> slave.store.view().maxOffset(TestNode.TOPIC, 0) == 3);
    }
  }

  @Test
  void shouldServeNothingOfWhatWasGarbledOnTheWay() throws Exception {
    long end = master.append(3, 50);
    long second = end / 3;
    try (Relay relay = new Relay(master.port); TestSlave slave = new TestSlave(folder.resolve("slave"), false)) {
      relay.garbled = TransferHeader.SIZE + second + 5;
      relay.most = 1;
      slave.follow(master.brokerPort, relay.port());
      TestNode.until("it has given that connection up", () -> relay.sentAway > 0);
      assertThat(slave.end()).isEqualTo(second);
      relay.garbled = -1;
      relay.most = Integer.MAX_VALUE;
      slave.awaitEnd(end);

      assertThat(slave.bytes(0, end)).isEqualTo(master.bytes(0, end));
      GetResult found = slave.store.view().get(TestNode.TOPIC, 0, 0, 32, 1 << 20, tags -> true);
      found.release();
    }
  }

  @Test
  void shouldStopLoudlyWhenItIsAheadOfItsMaster() throws Exception {
    master.append(2, BODY);
    try (TestMaster other = new TestMaster(folder.resolve("other"), false, TestNode.master(1, HEARTBEAT_MS))) {
      long more = other.append(5, BODY);
      try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(other)) {
        slave.awaitEnd(more);
      }
    }

    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      slave.awaitState("DIVERGED");

      assertThat(slave.beginnings).isEmpty();
      assertThat(slave.store.view().maxOffset(TestNode.TOPIC, 0)).isEqualTo(5);
    }
  }

  @Test
  void shouldStopLoudlyWhenItsLastRecordIsAnother() throws Exception {
    long all = master.append(5, BODY);
    try (TestMaster other = new TestMaster(folder.resolve("other"), false, TestNode.master(1, HEARTBEAT_MS))) {
      long less = other.append(3, BODY - 1);
      try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(other)) {
        slave.awaitEnd(less);
      }

      try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
        slave.awaitState("DIVERGED");

        assertThat(slave.end()).isEqualTo(less).isLessThan(all);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = ResultCode.class, names = {"SYSTEM_BUSY", "SERVICE_NOT_AVAILABLE"})
  void shouldAskAgainWhenItsMasterDidNotLook(ResultCode notNow) throws Exception {
    long first = master.append(2, BODY);
    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      slave.awaitEnd(first);
    }
    long end = master.append(2, BODY);
    master.refusal = notNow;

    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      slave.awaitState("PAUSE");
      assertThat(slave.end()).isEqualTo(first);
      master.refusal = null;

      slave.awaitEnd(end);
    }
  }

  @Test
  void shouldBeginAnewWhenItsMasterDeletesWhatIsBeingCompared() throws Exception {
    long end = master.append(2, BODY);
    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      slave.awaitEnd(end);
    }
    master.asked = () -> {
      master.claimedFirst = TestNode.LOG_FILE;
      master.refusal = ResultCode.SYSTEM_ERROR;
    };

    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      TestNode.until("asked for", () -> slave.beginnings.contains((long) TestNode.LOG_FILE));
    }
  }

  @Test
  void shouldNoticeThatItsMasterHasDeletedWhatComesNextAndOnlyGivesSignsOfLife() throws Exception {
    long end = master.append(2, BODY);
    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      slave.awaitEnd(end);
      master.claimedFirst = TestNode.LOG_FILE;

      TestNode.until("asked for", () -> slave.beginnings.contains((long) TestNode.LOG_FILE));
    }
  }

  @Test
  void shouldCompareWithTheMasterItCopiesFromAndNoOther() throws Exception {
    long end = master.append(2, BODY);
    try (TestSlave slave = new TestSlave(folder.resolve("slave"), false).follow(master)) {
      slave.awaitEnd(end);
    }
    try (TestMaster other = new TestMaster(folder.resolve("other"), false, TestNode.master(1, HEARTBEAT_MS));
        TestSlave slave = new TestSlave(folder.resolve("slave"), false)) {
      other.append(5, BODY);
      master.asked = () -> slave.follow(other);
      slave.follow(master);

      slave.awaitState("DIVERGED");
      assertThat(slave.end()).isEqualTo(end);
    }
  }

  @Test
  void shouldBeginAnewWhereAMasterBeginsThatHasDeletedWhatItWants() throws Exception {
    long end = master.append(THREE_FILES_OF_MESSAGES, BODY);
    long first = 2L * TestNode.LOG_FILE;
    master.close();
    Files.delete(folder.resolve("master/commitlog/00000000000000000000"));
    Files.delete(folder.resolve("master/commitlog/000000000000000" + TestNode.LOG_FILE));
    master = new TestMaster(folder.resolve("master"), false, TestNode.master(1, HEARTBEAT_MS));
    Path root = folder.resolve("slave");
    try (TestSlave slave = new TestSlave(root, false).follow(master)) {
      TestNode.until("asked for", () -> slave.beginnings.contains(first));
      slave.awaitState("BEGINNING_ANEW");
    }

    NewBeginning.order(TestSlave.options(root), first);
    try (TestSlave slave = new TestSlave(root, false).follow(master)) {
      slave.awaitEnd(end);

      assertThat(slave.store.view().firstOffset()).isEqualTo(first);
      assertThat(slave.bytes(first, end)).isEqualTo(master.bytes(first, end));
    }
  }

  @Test
  void shouldComeBackToAMasterThatWasAway() throws Exception {
    long first = master.append(2, BODY);
    try (Relay relay = new Relay(master.port); TestSlave slave = new TestSlave(folder.resolve("slave"), false)) {
      slave.follow(master.brokerPort, relay.port()).awaitEnd(first);
      relay.close();
      slave.awaitState("PAUSE");
      long end = master.append(2, BODY);

      slave.follow(master);
      slave.awaitEnd(end);
    }
  }
}
