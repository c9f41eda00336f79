package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.SerializeType;
import io.metaq.coordinator.api.GroupConflict;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.it.Await;
import io.metaq.model.GroupConfig;
import io.metaq.net.Connection;
import io.metaq.net.RemotingServerOptions;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class WaitingTurnsTest {
  private static final long HOUR_NS = 3_600_000_000_000L;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final GroupSnapshot GROUP =
      new GroupSnapshot(GroupConfig.of("g"), true, false, Map.of(), List.of(), Set.of(), GroupConflict.NONE);

  private final Map<Connection, Long> unpaidNs = new ConcurrentHashMap<>();
  private final Map<Connection, Long> unsent = new ConcurrentHashMap<>();
  private final List<Integer> called = new CopyOnWriteArrayList<>();
  private final Connection first = connection();
  private final Connection second = connection();
  private Context context;
  private WaitingTurns turns;

  @BeforeEach
  void nobodyWaits(Vertx vertx) {
    context = vertx.getOrCreateContext();
    turns = new WaitingTurns(
        context, connection -> unpaidNs.getOrDefault(connection, 0L), turn -> called.add(turn.pull().opaque()));
  }

  @Test
  void shouldCallThePullsOfAConnectionInTheirOrder() throws Exception {
    awaitTurns(pull(1, first), pull(2, first), pull(3, first), pull(4, first), pull(5, first), pull(6, first));

    Await.until("all are called", LIMIT, () -> called.size() == 6);
    assertThat(called).containsExactly(1, 2, 3, 4, 5, 6);
    Await.until("nothing is left", LIMIT, () -> onContext(turns::count) == 0);
  }

  @Test
  void shouldNotLetOneWaitForAnother() throws Exception {
    unpaidNs.put(first, HOUR_NS);
    awaitTurns(pull(1, first), pull(2, second));

    Await.until("the second is called", LIMIT, () -> called.contains(2));
    assertThat(called).containsExactly(2);
  }

  @Test
  void shouldNotReadMoreAtOnceThanIsChargedInTime() throws Exception {
    onContext(() -> {
      for (int i = 0; i < 4; i++) {
        assertThat(turns.mayGo(first)).isTrue();
        turns.begun(first);
      }
      return null;
    });
    awaitTurns(pull(1, first), pull(2, second));
    Await.until("the second is called", LIMIT, () -> called.contains(2));
    assertThat(called).containsExactly(2);

    onContext(() -> {
      assertThat(turns.mayGo(first)).isFalse();
      turns.ended(first);
      return null;
    });

    Await.until("the first is called", LIMIT, () -> called.contains(1));
  }

  @Test
  void shouldReadNothingMoreForAPeerThatTakesNothing() throws Exception {
    unsent.put(first, RemotingServerOptions.UNSENT_LIMIT_BYTES + 1L);
    awaitTurns(pull(1, first), pull(2, second));
    Await.until("the second is called", LIMIT, () -> called.contains(2));
    assertThat(called).containsExactly(2);

    unsent.put(first, (long) RemotingServerOptions.UNSENT_LIMIT_BYTES);

    Await.until("the first is called", LIMIT, () -> called.contains(1));
  }

  @Test
  void shouldForgetWhatAClosedConnectionWaitsForAndHandOverTheRest() throws Exception {
    unpaidNs.put(first, HOUR_NS);
    unpaidNs.put(second, HOUR_NS);
    awaitTurns(pull(1, first), pull(2, second), pull(3, second));

    List<Integer> drained = onContext(() -> {
      turns.gone(first);
      List<Integer> taken = new ArrayList<>();
      turns.drain(pull -> pull.opaque() != 3, pull -> taken.add(pull.opaque()));
      return taken;
    });

    assertThat(drained).containsExactly(2);
    assertThat(onContext(turns::count)).isEqualTo(1);
    assertThat(called).isEmpty();
  }

  private void awaitTurns(Pull... pulls) throws Exception {
    onContext(() -> {
      for (Pull pull : pulls) {
        turns.await(new WaitingTurns.Turn(pull, false));
      }
      return null;
    });
  }

  private <T> T onContext(Callable<T> action) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    context.runOnContext(run -> {
      try {
        result.complete(action.call());
      } catch (Throwable failure) {
        result.completeExceptionally(failure);
      }
    });
    return result.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  /** Tells only how much is unsent. */
  private Connection connection() {
    return (Connection) Proxy.newProxyInstance(
        Connection.class.getClassLoader(), new Class<?>[] {Connection.class},
        (proxy, method, arguments) -> switch (method.getName()) {
          case "unsentBytes" -> unsent.getOrDefault(proxy, 0L);
          case "hashCode" -> System.identityHashCode(proxy);
          case "equals" -> proxy == arguments[0];
          default -> throw new UnsupportedOperationException(method.getName());
        });
  }

  private static Pull pull(int opaque, Connection connection) {
    return new Pull(connection, opaque, SerializeType.JSON, "T", 0, 0, 32, 1 << 20, () -> null, GROUP, null, 0);
  }
}
