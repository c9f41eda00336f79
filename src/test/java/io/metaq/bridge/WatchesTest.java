package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.HandClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Watched paths with a clock that is moved by hand: who is told what, and how often it is looked at. */
class WatchesTest {
  private final HandClock clock = new HandClock();
  private final HandAlarm alarm = new HandAlarm(clock);
  private final List<Asked> looks = new ArrayList<>();
  private final List<Promise<Answer>> pending = new ArrayList<>();
  private boolean slowBroker;
  private JsonObject value = new JsonObject().put("n", 1);
  private final Watches watches = new Watches(
      new Views(List.of(Route.view("/v1/topics/{topic}", this::look), Route.get("/v1/other", Access.READ, call -> null))), alarm, clock);

  private Future<Answer> look(Asked asked) {
    looks.add(asked);
    if (slowBroker) {
      Promise<Answer> promise = Promise.promise();
      pending.add(promise);
      return promise.future();
    }
    if (value == null) {
      throw Fault.UNKNOWN_TOPIC.because("topic '" + asked.topic() + "' does not exist");
    }
    return Future.succeededFuture(Answer.ok(value));
  }

  /** Takes sights, at once or when the test lets it. */
  private final class Peer {
    private final List<Sight> told = new ArrayList<>();
    private final List<Promise<Void>> writes = new ArrayList<>();
    private final boolean slow;
    private Watch watch;

    Peer(boolean slow) {
      this.slow = slow;
    }

    Peer watch(String path, long everyMs) {
      watch = watches.on(path, everyMs, this::take);
      watch.start();
      return this;
    }

    private Future<Void> take(Sight sight) {
      told.add(sight);
      Promise<Void> written = Promise.promise();
      writes.add(written);
      if (!slow) {
        written.complete();
      }
      return written.future();
    }

    List<Integer> numbers() {
      return told.stream().map(sight -> sight.answer().body().toJsonObject().getInteger("n")).toList();
    }
  }

  private Peer peer(String path, long everyMs) {
    return new Peer(false).watch(path, everyMs);
  }

  private void change(int n) {
    value = new JsonObject().put("n", n);
  }

  @Test
  void shouldTellAtOnceAndThenOnlyWhatChanged() {
    Peer peer = peer("/v1/topics/orders", 1_000);
    assertThat(peer.numbers()).containsExactly(1);

    alarm.advance(3_000);
    assertThat(peer.numbers()).containsExactly(1);
    assertThat(looks).hasSize(4);

    change(2);
    alarm.advance(1_000);
    assertThat(peer.numbers()).containsExactly(1, 2);
    assertThat(peer.told.get(1).atMs()).isEqualTo(clock.millis());
  }

  @Test
  void shouldLookOnceForAllWhoWatchAPath() {
    List<Peer> peers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      peers.add(peer("/v1/topics/orders", 1_000));
    }
    assertThat(looks).hasSize(1);

    change(2);
    alarm.advance(1_000);

    assertThat(looks).hasSize(2);
    assertThat(peers).allSatisfy(peer -> assertThat(peer.numbers()).containsExactly(1, 2));
    assertThat(peer("/v1/topics/others", 1_000).numbers()).containsExactly(2);
    assertThat(looks).hasSize(3);
  }

  @Test
  void shouldTellEachAsOftenAsItWants() {
    Peer eager = peer("/v1/topics/orders", 500);
    Peer calm = peer("/v1/topics/orders", 2_000);

    for (int n = 2; n <= 9; n++) {
      change(n);
      alarm.advance(500);
    }

    assertThat(eager.numbers()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(calm.numbers()).containsExactly(1, 5, 9);
    assertThat(looks).hasSize(9);
  }

  @Test
  void shouldLookAgainForOneWhoComesWhenTheLastLookIsOldForIt() {
    peer("/v1/topics/orders", 60_000);
    change(2);
    alarm.advance(30_000);

    Peer eager = peer("/v1/topics/orders", 1_000);

    assertThat(eager.numbers()).containsExactly(2);
    alarm.advance(1_000);
    assertThat(looks).hasSize(3);
  }

  @Test
  void shouldGiveASlowReaderTheNewestAndNothingOld() {
    Peer slow = new Peer(true).watch("/v1/topics/orders", 1_000);
    Peer quick = peer("/v1/topics/orders", 1_000);

    for (int n = 2; n <= 50; n++) {
      change(n);
      alarm.advance(1_000);
    }
    assertThat(slow.numbers()).containsExactly(1);
    slow.writes.get(0).complete();

    assertThat(slow.numbers()).containsExactly(1, 50);
    slow.writes.get(1).complete();
    assertThat(slow.numbers()).containsExactly(1, 50);
    assertThat(quick.numbers()).hasSize(50);
  }

  @Test
  void shouldGoOnAfterAnErrorAndTellItAsItIs() {
    Peer peer = peer("/v1/topics/orders", 1_000);
    value = null;
    alarm.advance(2_000);
    change(7);
    alarm.advance(1_000);

    assertThat(peer.told).extracting(sight -> sight.answer().status()).containsExactly(200, 404, 200);
    assertThat(peer.told.get(1).answer().body().toJsonObject().getString("type")).isEqualTo("urn:metaq:problem:unknown-topic");
  }

  @Test
  void shouldLookAtNothingWhenNobodyWatches() {
    Peer one = peer("/v1/topics/orders", 1_000);
    Peer two = peer("/v1/topics/orders", 1_000);

    one.watch.end();
    alarm.advance(1_000);
    assertThat(looks).hasSize(2);
    two.watch.end();
    change(2);
    alarm.advance(10_000);

    assertThat(looks).hasSize(2);
    assertThat(watches.paths()).isZero();
    assertThat(alarm.isSet()).isFalse();
    assertThat(one.numbers()).containsExactly(1);
  }

  @Test
  void shouldTellNobodyWhoLeftDuringALook() {
    slowBroker = true;
    Peer gone = peer("/v1/topics/orders", 1_000);
    gone.watch.end();
    pending.get(0).complete(Answer.ok(value));

    assertThat(gone.told).isEmpty();
    assertThat(alarm.isSet()).isFalse();
  }

  @Test
  void shouldNotLookAgainBeforeALookHasEnded() {
    slowBroker = true;
    Peer peer = peer("/v1/topics/orders", 500);
    peer("/v1/topics/orders", 500);
    alarm.advance(5_000);
    assertThat(looks).hasSize(1);

    pending.get(0).complete(Answer.ok(value));
    alarm.advance(100);

    assertThat(peer.numbers()).containsExactly(1);
    assertThat(looks).hasSize(2);
  }

  @Test
  void shouldTakePathAndQueryApart() {
    peer("/v1/topics/%25RETRY%25g?a=1%2B1&b&a=2&c=x+y", 1_000);

    assertThat(looks).singleElement().satisfies(asked -> {
      assertThat(asked.topic()).isEqualTo("%RETRY%g");
      assertThat(asked.query("a")).contains("1+1");
      assertThat(asked.query("b")).contains("");
      assertThat(asked.query("c")).contains("x y");
      assertThat(asked.query("d")).isEmpty();
    });
  }

  @Test
  void shouldRefuseWhatCannotBeWatched() {
    for (String path : List.of("/v1/other", "/v1/topics", "/v1/topics/a/b", "", "v1/topics/a", "/v1/topics/%zz")) {
      assertThatThrownBy(() -> peer(path, 1_000)).as(path).isInstanceOf(BridgeException.class);
    }
    assertThat(looks).isEmpty();
    assertThat(watches.paths()).isZero();
  }

  @Test
  void shouldWatchABoundedNumberOfDifferentPaths() {
    for (int i = 0; i < Watches.MOST_PATHS; i++) {
      peer("/v1/topics/t" + i, 1_000);
    }

    assertThatThrownBy(() -> peer("/v1/topics/more", 1_000)).hasMessageContaining("more than 256 different paths");
    assertThat(peer("/v1/topics/t0", 1_000).numbers()).containsExactly(1);
  }
}
