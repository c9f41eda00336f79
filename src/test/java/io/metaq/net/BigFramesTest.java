package io.metaq.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BigFramesTest {
  private final BigFrames frames = new BigFrames(1_000);
  private final List<String> granted = new ArrayList<>();

  @Test
  void shouldGrantAtOnceWhatFits() {
    assertThat(take("a", 600).granted()).isTrue();
    assertThat(take("b", 400).granted()).isTrue();
    assertThat(granted).isEmpty();
  }

  @Test
  void shouldGrantInTheOrderOfAsking() {
    BigFrames.Ticket first = take("first", 600);
    BigFrames.Ticket second = take("second", 600);
    BigFrames.Ticket small = take("small", 100);
    assertThat(second.granted()).isFalse();
    assertThat(small.granted()).isFalse();

    first.giveBack();

    assertThat(granted).containsExactly("second", "small");
    assertThat(small.granted()).isTrue();
  }

  @Test
  void shouldLetTheNextOneInWhenAWaitingOneGoesAway() {
    take("holder", 600);
    BigFrames.Ticket gone = take("gone", 900);
    take("next", 400);

    gone.giveBack();

    assertThat(granted).containsExactly("next");
  }

  @Test
  void shouldTakeATicketBackOnlyOnce() {
    BigFrames.Ticket ticket = take("a", 600);

    ticket.giveBack();
    ticket.giveBack();

    assertThat(take("b", 1_000).granted()).isTrue();
    assertThat(take("c", 1).granted()).isFalse();
  }

  @Test
  void shouldGrantAFrameBeyondAllRoomWhenItIsAlone() {
    assertThat(take("giant", 5_000).granted()).isTrue();
    assertThat(take("other", 1).granted()).isFalse();
  }

  private BigFrames.Ticket take(String name, long bytes) {
    return frames.take(bytes, () -> granted.add(name));
  }
}
