package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.SerializeType;
import io.metaq.coordinator.api.GroupConflict;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.model.Clock;
import io.metaq.model.GroupConfig;
import io.metaq.net.Connection;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class WaitingTurnsTest {
  private static final long MS = 1_000_000;
  private static final GroupSnapshot GROUP =
      new GroupSnapshot(GroupConfig.of("g"), true, false, Map.of(), List.of(), Set.of(), GroupConflict.NONE);

  @Test
  void shouldCallPullsInTheOrderOfTheirTurns(Vertx vertx) throws Exception {
    Context context = vertx.getOrCreateContext();
    List<Integer> called = new ArrayList<>();
    Promise<List<Integer>> all = Promise.promise();
    context.runOnContext(start -> {
      WaitingTurns turns = new WaitingTurns(context, Clock.system(), turn -> {
        called.add(turn.pull().opaque());
        if (called.size() == 3) {
          all.complete(called);
        }
      });
      turns.await(pull(1, null), false, 60 * MS);
      turns.await(pull(2, null), false, MS);
      turns.await(pull(3, null), false, 30 * MS);
    });

    assertThat(all.future().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS)).containsExactly(2, 3, 1);
  }

  @Test
  void shouldForgetWhatAClosedConnectionWaitsFor(Vertx vertx) {
    WaitingTurns turns = new WaitingTurns(vertx.getOrCreateContext(), Clock.system(), turn -> {});
    Connection gone = connection();
    turns.await(pull(1, gone), false, 3_600_000 * MS);
    turns.await(pull(2, null), false, 3_600_000 * MS);

    turns.gone(gone);

    assertThat(turns.count()).isEqualTo(1);
    assertThat(turns.drain()).extracting(Pull::opaque).containsExactly(2);
    assertThat(turns.count()).isZero();
  }

  private static Connection connection() {
    return (Connection) Proxy.newProxyInstance(
        Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> null);
  }

  private static Pull pull(int opaque, Connection connection) {
    return new Pull(connection, opaque, SerializeType.JSON, "T", 0, 0, 32, 1 << 20, () -> null, GROUP, null, 0);
  }
}
