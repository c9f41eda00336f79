package io.metaq.bus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GiantBuffersTest {
  private static final int MEGABYTE = 1024 * 1024;
  private static final int KEPT_BYTES = 8 * MEGABYTE;

  private final GiantBuffers giants = new GiantBuffers(KEPT_BYTES);

  @Test
  void shouldGiveEachBufferOutAgainThatSeveralRoundsUsed() {
    List<ByteBuffer> used = taken(4);
    used.forEach(giants::giveBack);

    assertThat(taken(4)).usingElementComparator((a, b) -> a == b ? 0 : 1).containsExactlyInAnyOrderElementsOf(used);
  }

  @Test
  void shouldPassOverOneThatIsTooSmall() {
    ByteBuffer large = giants.take(2 * MEGABYTE);
    ByteBuffer small = giants.take(MEGABYTE);
    giants.giveBack(large);
    giants.giveBack(small);

    assertThat(giants.take(2 * MEGABYTE)).isSameAs(large);
    assertThat(giants.take(MEGABYTE)).isSameAs(small);
  }

  @Test
  void shouldNotGatherBuffersThatAreTooSmall() {
    ByteBuffer small = giants.take(MEGABYTE);
    giants.giveBack(small);
    giants.giveBack(giants.take(2 * MEGABYTE));

    giants.take(2 * MEGABYTE);
    assertThat(giants.take(MEGABYTE)).isNotSameAs(small);
  }

  @Test
  void shouldKeepTheLatestWithinItsBound() {
    ByteBuffer oldest = giants.take(MEGABYTE);
    ByteBuffer giant = giants.take(KEPT_BYTES);
    giants.giveBack(oldest);
    giants.giveBack(giant);

    assertThat(giants.take(MEGABYTE)).isSameAs(giant);
    assertThat(giants.take(MEGABYTE)).isNotSameAs(oldest);
  }

  @Test
  void shouldKeepNothingLongerThanItsBound() {
    ByteBuffer beyond = giants.take(KEPT_BYTES + 1);
    giants.giveBack(beyond);

    assertThat(giants.take(KEPT_BYTES + 1)).isNotSameAs(beyond);
  }

  @Test
  void shouldLetGoOfAllButOneAfterAWhile() {
    List<ByteBuffer> used = taken(3);
    used.forEach(giants::giveBack);
    giants.trim();
    giants.trim();
    giants.trim();

    List<ByteBuffer> again = taken(3);
    assertThat(again.get(0)).isSameAs(used.get(2));
    assertThat(again.subList(1, 3)).allSatisfy(fresh -> assertThat(used).noneMatch(old -> old == fresh));
  }

  private List<ByteBuffer> taken(int count) {
    return Stream.generate(() -> giants.take(MEGABYTE)).limit(count).toList();
  }
}
