package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Relay.End;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelaysTest {
  private static final long CONNECTION = 7;
  private static final long TIMEOUT_MS = 1_000;

  private final LoopConnections connections = new LoopConnections(null, closed -> {});
  private final Relays relays = new Relays(connections);
  private final Deque<Promise<RemotingCommand>> asked = new ArrayDeque<>();
  private long unsentBytes;
  private int written;

  @BeforeEach
  void connect() {
    connections.opened(client());
  }

  @Test
  void shouldTellAnAnswerThatDoesNotComeInTimeFromAClientThatLeft() {
    Future<Relay.Outcome> late = relays.send(question());
    Future<Relay.Outcome> left = relays.send(question());

    asked.poll().fail(new TimeoutException("no answer within 1000 ms"));
    asked.poll().fail(new IllegalStateException("it closed the connection"));

    assertThat(late.result()).isEqualTo(new Relay.Outcome(End.TIMED_OUT, null, "no answer within 1000 ms"));
    assertThat(left.result()).isEqualTo(new Relay.Outcome(End.GONE, null, "it closed the connection"));
  }

  @ParameterizedTest
  @CsvSource({
      "TIMED_OUT, 207, consumer <g> <c1> Timeout: why",
      "GONE, 1, invoke consumer <g> <c1> Exception: why",
      "REFUSED, 1, invoke consumer <g> <c1> Exception: why"})
  void shouldAnswerWhoAskedWithTheCodeOfTheEnd(End end, int code, String remark) {
    RemotingCommand answer = MemberRelayHandler.answer(command(), "g", "c1", new Relay.Outcome(end, null, "why"));

    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.remark()).isEqualTo(remark);
  }

  @Test
  void shouldSayThatThereIsNoSuchConnection() {
    assertThat(relays.send(new Relay(8, command(), TIMEOUT_MS)).result().end()).isEqualTo(End.GONE);
  }

  @Test
  void shouldWaitForNoMoreAnswersThanTheBound() {
    for (int i = 0; i < Relays.MAX_WAITING; i++) {
      assertThat(relays.send(question()).isComplete()).isFalse();
    }

    assertThat(relays.send(question()).result().end()).isEqualTo(End.REFUSED);
    assertThat(relays.send(new Relay(CONNECTION, RemotingCommand.oneway(RequestCode.RESET_CONSUMER_CLIENT_OFFSET), TIMEOUT_MS)).result().end()).as("waits for none")
        .isEqualTo(End.SENT);
    asked.poll().complete(command());
    assertThat(relays.send(question()).isComplete()).as("there is room again").isFalse();
    assertThat(asked).hasSize(Relays.MAX_WAITING);
  }

  @Test
  void shouldAddNothingForAClientThatDoesNotTakeWhatItHas() {
    unsentBytes = Relays.MAX_UNSENT_BYTES;
    assertThat(relays.send(question()).isComplete()).as("at the bound").isFalse();

    unsentBytes++;

    assertThat(relays.send(question()).result().end()).isEqualTo(End.REFUSED);
    assertThat(relays.send(new Relay(CONNECTION, RemotingCommand.oneway(RequestCode.RESET_CONSUMER_CLIENT_OFFSET), TIMEOUT_MS)).result().end()).isEqualTo(End.REFUSED);
    assertThat(asked).hasSize(1);
    assertThat(written).isZero();
  }

  private static Relay question() {
    return new Relay(CONNECTION, command(), TIMEOUT_MS);
  }

  private static RemotingCommand command() {
    return RemotingCommand.request(RequestCode.GET_CONSUMER_RUNNING_INFO);
  }

  private Connection client() {
    return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(), new Class<?>[] {Connection.class},
        (proxy, method, arguments) -> switch (method.getName()) {
          case "id" -> CONNECTION;
          case "isOpen" -> true;
          case "unsentBytes" -> unsentBytes;
          case "request" -> {
            asked.add(Promise.promise());
            yield asked.getLast().future();
          }
          case "write" -> {
            written++;
            yield null;
          }
          default -> throw new AssertionError(method);
        });
  }
}
