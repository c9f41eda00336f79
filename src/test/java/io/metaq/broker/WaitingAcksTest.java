package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.ResultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaitingAcksTest {
  private static final long TIMEOUT_MS = 1;

  private final List<String> answered = new ArrayList<>();
  private final WaitingAcks<StoredUnit> acks =
      new WaitingAcks<>(TIMEOUT_MS, (unit, timedOut) -> answered.add(unit.opaque() + (timedOut ? " late" : "")));

  @Test
  void shouldAnswerAllThatEndsAtOrBelowTheWatermark() {
    add(1, 100, 1000);
    add(2, 200, 1000);
    add(3, 300, 1000);

    acks.reached(200);

    assertThat(answered).containsExactly("1", "2");
    assertThat(acks.count()).isEqualTo(1);
  }

  @Test
  void shouldAnswerWithTheTimeoutWhatIsOverdue() {
    add(1, 100, 10);
    add(2, 200, 20);

    acks.expire(10 + TIMEOUT_MS * 1_000_000);

    assertThat(answered).containsExactly("1 late");
  }

  @Test
  void shouldKeepItsOrderWhileItGrows() {
    IntStream.range(0, 200).forEach(i -> add(i, i, 1_000_000));
    acks.reached(149);
    IntStream.range(200, 1000).forEach(i -> add(i, i, 1_000_000));

    acks.reached(999);

    assertThat(answered).containsExactlyElementsOf(IntStream.range(0, 1000).mapToObj(Integer::toString).toList());
    assertThat(acks.count()).isZero();
  }

  private void add(int opaque, long endOffset, long storedNs) {
    acks.add(new StoredUnit(null, opaque, SerializeType.JSON, 0, 0, new long[] {0}, null, endOffset, storedNs, ResultCode.SUCCESS));
  }
}
