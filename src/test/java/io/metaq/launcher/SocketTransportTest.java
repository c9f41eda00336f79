package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.vertx.core.transport.Transport;
import org.junit.jupiter.api.Test;

class SocketTransportTest {
  @Test
  void shouldTakeEpollByItselfWhereItIsToBeHad() {
    assumeThat(Transport.EPOLL).isNotNull();
    assumeThat(Transport.EPOLL.available()).isTrue();

    assertThat(SocketTransport.of("true").name()).isEqualTo("epoll");
    assertThat(SocketTransport.of("epoll").vertx()).isSameAs(Transport.EPOLL);
  }

  @Test
  void shouldTakeTheJdksSocketsWhenNativeOnesAreSwitchedOff() {
    assertThat(SocketTransport.of("false").vertx()).isSameAs(Transport.NIO);
  }

  @Test
  void shouldNotStartWithoutTheOneThatIsNamed() {
    assumeThat(Transport.IO_URING).isNull();

    assertThatThrownBy(() -> SocketTransport.of("io_uring"))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("nativeTransport=io_uring")
        .hasMessageContaining("netty-transport-native-io_uring");
  }
}
