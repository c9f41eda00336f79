package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What bounds reading: demand, read-ahead, and open messages. */
class WindowTest {
  @Test
  void shouldGiveOutExactlyWhatWasAskedFor() {
    Demand demand = new Demand();

    demand.add(2);
    demand.add(1);

    assertThat(demand.take()).isTrue();
    assertThat(demand.take()).isTrue();
    assertThat(demand.take()).isTrue();
    assertThat(demand.take()).isFalse();
  }

  @Test
  void shouldTakeOverflowingDemandForDemandWithoutEnd() {
    Demand demand = new Demand();

    demand.add(5);
    demand.add(Long.MAX_VALUE);

    for (int i = 0; i < 1000; i++) {
      assertThat(demand.take()).isTrue();
    }
  }

  @Test
  void shouldReadOnWhenHalfOfTheWindowIsFree() {
    ReadWindow window = new ReadWindow(10);

    assertThat(window.room()).isEqualTo(10);
    for (int i = 0; i < 6; i++) {
      window.arrived(100);
    }
    assertThat(window.room()).isZero();
    window.left(100);
    assertThat(window.room()).isEqualTo(5);
  }

  @Test
  void shouldReadOneByOneWithAWindowOfOne() {
    ReadWindow window = new ReadWindow(1);

    assertThat(window.room()).isEqualTo(1);
    window.arrived(100);
    assertThat(window.room()).isZero();
    window.left(100);
    assertThat(window.room()).isEqualTo(1);
  }

  @Test
  void shouldStopAtAMebibyteHoweverFewMessagesItIs() {
    ReadWindow window = new ReadWindow(1000);

    window.arrived(1 << 20);

    assertThat(window.room()).isZero();
    window.left(1 << 20);
    assertThat(window.room()).isEqualTo(64);
  }

  @Test
  void shouldNotPassAnOpenMessageWhenLaterOnesAreSettled() {
    Unsettled unsettled = new Unsettled();
    Unsettled.Slot first = unsettled.add(10);
    Unsettled.Slot second = unsettled.add(12);
    Unsettled.Slot third = unsettled.add(13);

    assertThat(unsettled.progress(14)).isEqualTo(10);
    unsettled.settle(second);
    assertThat(unsettled.progress(14)).isEqualTo(10);
    unsettled.settle(first);
    assertThat(unsettled.progress(14)).isEqualTo(13);
    assertThat(unsettled.count()).isEqualTo(1);
    unsettled.settle(third);
    assertThat(unsettled.progress(14)).isEqualTo(14);
    assertThat(unsettled.count()).isZero();
  }
}
