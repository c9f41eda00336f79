package io.metaq.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.Clock;
import io.metaq.model.Vigil;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WakefulLoopTest {
  private static final long LENGTH_MS = 10;
  private static final long PATIENCE_NS = 60_000_000_000L;
  /** Of a loop that is woken for each, if it sleeps. */
  private static final int ROUNDS = 50;

  private final HandClock clock = new HandClock();
  private final AtomicLong looks = new AtomicLong();
  /** Asked in each round of a loop that stays awake. */
  private final Clock counting = new Clock() {
    @Override
    public long millis() {
      return clock.millis();
    }

    @Override
    public long nanos() {
      looks.incrementAndGet();
      return clock.nanos();
    }
  };
  private final Vigil vigil = new Vigil(counting, LENGTH_MS * 1_000_000);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldServeItsSocketsWhileItStaysAwake(boolean nativeTransport) throws Exception {
    try (TestServer server = server(nativeTransport); TestPeer peer = server.connect()) {
      WakefulLoop loop = new WakefulLoop(server.loop());
      server.onLoop(() -> keep(loop, vigil));

      for (int i = 0; i < ROUNDS; i++) {
        long before = looks.get();
        await(() -> looks.get() > before);
        peer.send(RemotingCommand.decoded(1, "JAVA", 513, i, 0, SerializeType.JSON));

        assertThat(peer.receive().opaque()).isEqualTo(i);
      }
      clock.advance(LENGTH_MS);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSleepWhenTheTimeIsOver(boolean nativeTransport) {
    try (TestServer server = server(nativeTransport)) {
      WakefulLoop loop = new WakefulLoop(server.loop());
      server.onLoop(() -> keep(loop, vigil));

      clock.advance(LENGTH_MS);

      await(() -> sleeps(server));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldTakeWhatComesBeforeTheEndAsWorthIt(boolean nativeTransport) {
    try (TestServer server = server(nativeTransport)) {
      WakefulLoop loop = new WakefulLoop(server.loop());
      Vigil next = new Vigil(counting, LENGTH_MS * 1_000_000);
      server.onLoop(() -> keep(loop, vigil));

      server.onLoop(() -> keep(loop, next));
      clock.advance(LENGTH_MS);
      await(() -> sleeps(server));

      assertThat(vigil.begin()).isTrue();
      assertThat(next.begin()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSleepAtOnceWithAVigilOfNoLength(boolean nativeTransport) {
    try (TestServer server = server(nativeTransport)) {
      WakefulLoop loop = new WakefulLoop(server.loop());

      server.onLoop(() -> keep(loop, new Vigil(counting, 0)));

      assertThat(sleeps(server)).isTrue();
    }
  }

  private static TestServer server(boolean nativeTransport) {
    return new TestServer(new EchoHandler(), RemotingServerOptions.of("127.0.0.1", 0), nativeTransport);
  }

  private static Void keep(WakefulLoop loop, Vigil vigil) {
    loop.keep(vigil);
    return null;
  }

  /** Whether its rounds ask for no time. */
  private boolean sleeps(TestServer server) {
    long before = looks.get();
    for (int i = 0; i < ROUNDS; i++) {
      server.onLoop(() -> null);
    }
    return looks.get() == before;
  }

  private static void await(BooleanSupplier state) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (!state.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time is over").isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
  }
}
