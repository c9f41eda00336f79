package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.PopProxy;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.coordinator.api.PopRequest.Kind;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PopPipeTest {
  private final Vertx vertx = Vertx.vertx();
  private final PopPipe pipe = new PopPipe(vertx.getOrCreateContext(), new PopProxy(vertx), 0);
  private final Connection connection = (Connection) Proxy.newProxyInstance(
      getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> method.getName().equals("remote") ? "peer" : null);
  private final List<PopRequest> asked = new ArrayList<>();
  private final List<String> answered = new ArrayList<>();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void shouldAnswerTheNextWhenOneCannotBeAnswered() {
    ask("first", () -> { });
    ask("second", () -> {
      throw new OutOfMemoryError("no direct memory for its head");
    });
    ask("third", () -> { });

    pipe.answered(asked.stream().map(request -> PopAnswer.empty(request, ResultCode.PULL_NOT_FOUND, null, 0, 0)).toList());

    assertThat(answered).containsExactly("first", "second", "third");
  }

  private void ask(String name, Runnable then) {
    pipe.ask(
        connection,
        (loop, ticket) -> {
          PopRequest request = new PopRequest(
              loop, 1, ticket, Kind.POP, "g", "t", 0, 1, 0, 1, 1_000, 0, true, () -> tagsCode -> true, false, "");
          asked.add(request);
          return request;
        },
        new PopPipe.Taker() {
          @Override
          public void answered(PopAnswer answer) {
            answered.add(name);
            then.run();
          }

          @Override
          public void failed(String reason) {
            throw new AssertionError(reason);
          }
        });
  }
}
