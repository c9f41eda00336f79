package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.client.Message;
import io.metaq.client.Position;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What all subscribers together have unwritten. */
class OutgoingBytesTest {
  private static final long LARGE = 30_000;

  private final OutgoingBytes outgoing = new OutgoingBytes(100_000);
  private final List<String> told = new ArrayList<>();
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    vertx.close();
  }

  private OutgoingBytes.Turn turn(String name) {
    return outgoing.turn(() -> told.add(name));
  }

  @Test
  void shouldLetThoseWhoWaitInOneAfterTheOther() {
    OutgoingBytes.Turn large = turn("large");
    OutgoingBytes.Turn small = turn("small");
    assertThat(turn("a").take(LARGE, true)).isTrue();
    assertThat(turn("b").take(LARGE, true)).isTrue();
    assertThat(large.take(LARGE, true)).as("a quarter is for small ones").isFalse();
    assertThat(small.take(20_000, true)).as("behind one that waits").isFalse();

    outgoing.release(LARGE);
    assertThat(told).containsExactly("large");
    assertThat(outgoing.held()).as("kept for it").isEqualTo(2 * LARGE);
    assertThat(large.take(LARGE, true)).isTrue();
    outgoing.release(LARGE);
    assertThat(told).containsExactly("large", "small");
  }

  @Test
  void shouldNotKeepSmallMessagesWaitingForLargeOnes() {
    turn("a").take(2 * LARGE, true);
    assertThat(turn("b").take(2 * LARGE, true)).isFalse();

    for (int i = 0; i < 4; i++) {
      assertThat(turn("small").take(10_000, true)).isTrue();
    }
    assertThat(turn("small").take(10_000, true)).as("there is no more").isFalse();
  }

  @Test
  void shouldTakeAMessageThatIsLargerThanAllWhenThereIsNothingElse() {
    OutgoingBytes.Turn huge = turn("huge");
    turn("a").take(1_000, true);
    assertThat(huge.take(1_000_000, true)).isFalse();

    outgoing.release(1_000);

    assertThat(told).containsExactly("huge");
    assertThat(huge.take(1_000_000, true)).isTrue();
  }

  @Test
  void shouldNotKeepRoomForWhoHasLeftOrDoesNotWait() {
    OutgoingBytes.Turn gone = turn("gone");
    OutgoingBytes.Turn served = turn("served");
    turn("a").take(2 * LARGE, true);
    gone.take(2 * LARGE, true);
    assertThat(turn("asks again").take(2 * LARGE, false)).isFalse();
    served.take(2 * LARGE, true);
    outgoing.release(2 * LARGE);
    assertThat(told).containsExactly("gone");

    gone.forgo();

    assertThat(told).containsExactly("gone", "served");
    served.forgo();
    assertThat(outgoing.held()).isZero();
    assertThat(outgoing.isShort()).isFalse();
  }

  /** Groups that were given large messages. */
  @Test
  void shouldShareTheRoomAmongGroupsToo() {
    List<HandOutlet> outlets = new ArrayList<>();
    List<SharedReading> groups = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Wanted wanted = Wanted.of(HandDelivery.TOPIC, Optional.of("g" + i), Optional.empty(), Optional.empty(), Position.LATEST);
      SharedReading group = new SharedReading(wanted, outgoing, () -> { });
      HandOutlet outlet = new HandOutlet();
      outlet.takeAtOnce(false);
      group.onSubscribe(new Given(group));
      group.join(new Seat(group, wanted, new Room(1_000), outlet, false, 60_000, new GiveBack(vertx), new HandClock()), wanted);
      outlets.add(outlet);
      groups.add(group);
    }

    for (int written = 0; written < 50; written++) {
      assertThat(outgoing.held()).isLessThanOrEqualTo(outgoing.bound());
      assertThat(outlets.stream().mapToInt(HandOutlet::unwritten).sum()).isEqualTo(2);
      outlets.stream().filter(outlet -> outlet.unwritten() > 0).findFirst().orElseThrow().writeOne();
    }
    assertThat(outlets).allSatisfy(outlet -> assertThat(outlet.got()).hasSizeGreaterThan(5));
  }

  /** As many messages of some thirty thousand bytes as are asked for. */
  private static final class Given implements Flow.Subscription {
    private final SharedReading group;
    private long queueOffset;

    Given(SharedReading group) {
      this.group = group;
    }

    @Override
    public void request(long n) {
      assertThat(n).as("asked for at a time").isLessThanOrEqualTo(64);
      for (long i = 0; i < n; i++) {
        group.onNext(new HandDelivery(0, queueOffset++, Message.to(HandDelivery.TOPIC).body("x".repeat(20_000))));
      }
    }

    @Override
    public void cancel() {
      // nothing is kept
    }
  }
}
