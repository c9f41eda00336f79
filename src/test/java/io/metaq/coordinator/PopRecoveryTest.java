package io.metaq.coordinator;

import static io.metaq.coordinator.PopRig.INVISIBLE_MS;
import static io.metaq.coordinator.PopRig.RETRY;
import static io.metaq.coordinator.PopRig.REVIVE;
import static io.metaq.coordinator.PopRig.TOPIC;
import static io.metaq.coordinator.PopRig.bodies;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.coordinator.PopRig.Given;
import io.metaq.coordinator.api.GroupPlace;
import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.SettleOutcome;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.model.ResultCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left when a process dies, with and without progress in its files. */
class PopRecoveryTest {
  private static final int ALL = 32;

  @TempDir Path folder;

  private PopRig rig;

  @BeforeEach
  void open() {
    rig = new PopRig(folder);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldNeitherGiveWhatWasPoppedNorForgetWhatIsInFlight() {
    for (int i = 0; i < 6; i++) {
      rig.send(0, "m" + i);
    }
    List<Given> given = rig.popped(4);
    rig.settle(given.get(0).ack(), given.get(1).ack());
    rig.committed.clear();

    rig.restart();

    assertThat(bodies(rig.pop(ALL))).containsExactly("m4", "m5");
    assertThat(rig.settle(given.get(2).ack())).containsExactly(SettleOutcome.DONE);
    rig.pass(INVISIBLE_MS);
    rig.pass(100);
    assertThat(rig.queue(RETRY, 0)).extracting(PopsTest::body).contains("m3").doesNotContain("m0", "m1", "m2");
  }

  @Test
  void shouldReadNothingOfWhatIsDone() {
    rig.send(0, "m");
    rig.settle(rig.popped(ALL).get(0).ack());

    rig.saveAndRestart();

    assertThat(rig.pops.inFlight().size()).isZero();
    assertThat(rig.committed).containsEntry(PopRules.REVIVE_GROUP + "/" + REVIVE + "/0", 1L);
    assertThat(rig.pop(ALL).code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
  }

  @Test
  void shouldKnowAMessageByItsNewHandle() {
    rig.send(0, "m");
    Given given = rig.popped(ALL).get(0);
    SettleOutcome changed = rig.settle(given.stayInvisible(2 * INVISIBLE_MS)).get(0);

    rig.restart();

    SettleRequest ack = new SettleRequest(
        "workers", TOPIC, 0, given.queueOffset(), changed.popTimeMs(), given.reviveQueueId(), new long[] {given.queueOffset()},
        SettleRequest.ACK, false);
    assertThat(rig.settle(ack)).containsExactly(SettleOutcome.DONE);
    rig.pass(3 * INVISIBLE_MS);
    rig.pass(100);
    assertThat(rig.queue(RETRY, 0)).isEmpty();
  }

  @Test
  void shouldNoteNoMoreThanTheLogHasWhenItsEndWasLost() {
    rig.send(0, "m");
    rig.popped(ALL);

    long noted = rig.recovery().run(0, 500);

    assertThat(noted).isZero();
  }

  @Test
  void shouldTakeInWhatATimerOfRocketMqDelivers() {
    rig.send(0, "m0");
    rig.send(0, "m1");
    long popTimeMs = rig.clock.millis() - INVISIBLE_MS;
    rig.popped(1);
    rig.send(REVIVE, 0, "{\"bm\":0,\"bn\":\"b1\",\"c\":\"others\",\"d\":[0,1],\"it\":60000,\"n\":2,\"pt\":" + popTimeMs
        + ",\"q\":0,\"ro\":0,\"so\":0,\"t\":\"orders\"}", Map.of("TAGS", "ck"));
    rig.send(REVIVE, 0, "{\"ao\":1,\"bn\":\"b1\",\"c\":\"others\",\"pt\":" + popTimeMs + ",\"q\":0,\"so\":0,\"t\":\"orders\"}",
        Map.of("TAGS", "ack"));

    rig.recovery().readOn();
    rig.pass(PopRecovery.GRACE_MS);
    rig.pass(100);

    assertThat(rig.queue("%RETRY%others_orders", 0)).extracting(PopsTest::body).containsExactly("m0");
  }

  @Test
  void shouldPassOverRecordsThatMakeNoSense() {
    rig.send(REVIVE, 0, "no JSON", Map.of("TAGS", "ck"));
    rig.send(REVIVE, 0, "{}", Map.of("TAGS", "ack"));
    rig.send(REVIVE, 1, "{\"c\":", Map.of("TAGS", ReviveLog.ORDER));
    rig.send(REVIVE, 1, "{}", Map.of("TAGS", "unknown"));
    rig.send(0, "m");

    rig.restart();

    PopAnswer answer = rig.pop(ALL);
    assertThat(bodies(answer)).containsExactly("m");
  }

  @Test
  void shouldKeepAQueueBlockedThatWasPoppedInOrder() {
    rig.send(0, "m0");
    rig.send(0, "m1");
    rig.send(0, "m2");
    List<Given> given = PopRig.given(rig.popInOrder(2, "one"));
    rig.settle(given.get(0).ack());
    rig.committed.clear();

    rig.restart();

    assertThat(rig.popInOrder(2, "two").code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    assertThat(rig.settle(given.get(1).ack())).containsExactly(SettleOutcome.DONE);
    assertThat(bodies(rig.popInOrder(2, "two"))).containsExactly("m2");
  }

  @Test
  void shouldKnowWhatIsBlockedFromItsFile() {
    rig.send(0, "m0");
    rig.send(0, "m1");
    rig.popInOrder(1, "one").release();

    rig.saveAndRestart();

    assertThat(rig.popInOrder(1, "two").code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
    rig.pass(INVISIBLE_MS);
    assertThat(bodies(rig.popInOrder(1, "two"))).containsExactly("m0");
  }

  @Test
  void shouldGoOnWhereTheGroupWasPutBackThoughItCanBeReadWhatWasPoppedBefore() {
    send(4);
    rig.popped(2);
    rig.popped(2);

    rig.move(0, 1);
    rig.restart();

    assertThat(bodies(rig.pop(ALL))).containsExactly("m1", "m2", "m3");
  }

  @Test
  void shouldNotForgetWhatWasPoppedBeforeTheGroupWasMoved() {
    send(3);
    List<Given> given = rig.popped(ALL);

    rig.move(0, 0);
    rig.restart();
    rig.settle(given.get(0).ack());
    rig.pass(INVISIBLE_MS);
    rig.pass(100);

    assertThat(rig.queue(RETRY, 0)).extracting(PopsTest::body).containsExactly("m1", "m2");
  }

  @Test
  void shouldGoOnWhereTheGroupWasPutBackWhenTheTimeOfWhatWasPoppedBeforeIsChangedLater() {
    send(2);
    List<Given> given = rig.popped(ALL);

    rig.move(0, 0);
    rig.clock.advance(1_000);
    rig.settle(given.get(1).stayInvisible(2 * INVISIBLE_MS));
    rig.restart();

    assertThat(bodies(rig.pop(ALL))).containsExactly("m0", "m1");
  }

  @Test
  void shouldGoOnBehindWhatWasPoppedAfterTheMove() {
    send(4);
    rig.popped(ALL);
    rig.move(0, 1);
    rig.popped(1);
    rig.committed.put("workers/orders/0", 1L);

    rig.restart();

    assertThat(bodies(rig.pop(ALL))).containsExactly("m2", "m3");
  }

  @Test
  void shouldKnowAMoveFromWhatWasPoppedAfterItWhenItsFileIsOlder() {
    send(4);
    rig.popped(ALL);
    rig.move(0, 1);
    rig.popped(1);
    long movedMs = rig.moves.remove("workers/orders/0");
    rig.committed.put("workers/orders/0", 4L);

    rig.restart();

    GroupPlace stored = new GroupPlace("workers", TOPIC, 0, 4, 0);
    assertThat(rig.pops.table().learn("workers", List.of(stored)))
        .containsExactly(new GroupPlace("workers", TOPIC, 0, 2, movedMs));
    assertThat(bodies(rig.pop(ALL))).containsExactly("m2", "m3");
  }

  @Test
  void shouldGoOnInOrderWhereTheGroupWasPutBack() {
    send(4);
    List<Given> given = PopRig.given(rig.popInOrder(2, "one"));
    rig.settle(given.get(0).ack(), given.get(1).ack());
    rig.popInOrder(1, "two").release();

    rig.move(0, 1);
    rig.restart();

    assertThat(bodies(rig.popInOrder(2, "three"))).containsExactly("m1", "m2");
  }

  @Test
  void shouldNotBeBlockedByWhatItsFileHasFromBeforeAMove() {
    send(2);
    rig.popInOrder(2, "one").release();
    rig.saveAndRestart();

    rig.move(0, 0);
    rig.saveAndRestart();

    assertThat(bodies(rig.popInOrder(2, "two"))).containsExactly("m0", "m1");
  }

  @Test
  void shouldStayBlockedByWhatWasPoppedInOrderAfterAMove() {
    send(2);
    rig.popInOrder(2, "one").release();
    rig.move(0, 0);
    rig.popInOrder(2, "two").release();

    rig.saveAndRestart();

    assertThat(rig.popInOrder(2, "three").code()).isEqualTo(ResultCode.POLLING_TIMEOUT);
  }

  private void send(int count) {
    for (int i = 0; i < count; i++) {
      rig.send(0, "m" + i);
    }
  }
}
