package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The bound on what is sent and not yet answered. */
class InFlightTest {
  private final StringBuilder seen = new StringBuilder();

  @Test
  void shouldAdmitThoseThatWaitInOrderAsOthersLeave() {
    InFlight inFlight = new InFlight(2, 100);
    Guest first = new Guest('a', 1, 10);

    inFlight.enter(first);
    inFlight.enter(new Guest('b', 1, 10));
    inFlight.enter(new Guest('c', 1, 10));
    inFlight.enter(new Guest('d', 1, 10));
    assertThat(seen).hasToString("ab");
    inFlight.leave(first);

    assertThat(seen).hasToString("abc");
  }

  @Test
  void shouldCountEachMessageOfABatch() {
    InFlight inFlight = new InFlight(10, 100);
    Guest batch = new Guest('a', 9, 10);

    inFlight.enter(batch);
    inFlight.enter(new Guest('b', 2, 10));
    assertThat(seen).hasToString("a");
    inFlight.leave(batch);

    assertThat(seen).hasToString("ab");
  }

  @Test
  void shouldAdmitOneThatIsLargerThanTheBound() {
    InFlight inFlight = new InFlight(10, 100);
    Guest large = new Guest('a', 1, 1000);

    inFlight.enter(large);
    inFlight.enter(new Guest('b', 1, 1));
    assertThat(seen).hasToString("a");
    inFlight.leave(large);

    assertThat(seen).hasToString("ab");
  }

  @Test
  void shouldLetTheNextInWhenALargeOneGivesUp() {
    InFlight inFlight = new InFlight(10, 100);
    Guest large = new Guest('b', 1, 100);

    inFlight.enter(new Guest('a', 1, 1));
    inFlight.enter(large);
    inFlight.enter(new Guest('c', 1, 1));
    assertThat(seen).hasToString("a");
    inFlight.giveUp(large);

    assertThat(seen).hasToString("ac");
  }

  @Test
  void shouldAdmitAnyNumberOfThoseThatLeaveAtOnceInTheirOrder() {
    int count = 50_000;
    InFlight inFlight = new InFlight(1, 100);
    Guest first = new Guest('a', 1, 1);
    int[] next = {0};
    inFlight.enter(first);
    for (int i = 0; i < count; i++) {
      inFlight.enter(new Passing(inFlight, i, next));
    }

    inFlight.leave(first);

    assertThat(next[0]).isEqualTo(count);
  }

  @Test
  void shouldRefuseThoseThatWaitOrComeOnceClosedAndBeDrainedWhenTheLastLeaves() {
    InFlight inFlight = new InFlight(1, 100);
    Guest first = new Guest('a', 1, 1);
    inFlight.enter(first);
    inFlight.enter(new Guest('b', 1, 1));

    var drained = inFlight.close();
    inFlight.enter(new Guest('c', 1, 1));

    assertThat(seen).hasToString("a!b!c");
    assertThat(drained.isComplete()).isFalse();
    inFlight.leave(first);
    assertThat(drained.isComplete()).isTrue();
  }

  /** Has nothing to do any more when its turn comes. */
  private record Passing(InFlight inFlight, int place, int[] next) implements InFlight.Guest {
    @Override
    public int messages() {
      return 1;
    }

    @Override
    public int bytes() {
      return 1;
    }

    @Override
    public void admitted() {
      assertThat(next[0]++).isEqualTo(place);
      inFlight.leave(this);
    }

    @Override
    public void refused() {
      throw new AssertionError("refused");
    }
  }

  private final class Guest implements InFlight.Guest {
    private final char name;
    private final int messages;
    private final int bytes;

    Guest(char name, int messages, int bytes) {
      this.name = name;
      this.messages = messages;
      this.bytes = bytes;
    }

    @Override
    public int messages() {
      return messages;
    }

    @Override
    public int bytes() {
      return bytes;
    }

    @Override
    public void admitted() {
      seen.append(name);
    }

    @Override
    public void refused() {
      seen.append('!').append(name);
    }
  }
}
