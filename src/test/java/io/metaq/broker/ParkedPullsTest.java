package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.SerializeType;
import io.metaq.coordinator.api.GroupConflict;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.model.GroupConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ParkedPullsTest {
  private static final GroupSnapshot GROUP =
      new GroupSnapshot(GroupConfig.of("g"), true, false, Map.of(), List.of(), Set.of(), GroupConflict.NONE);

  private final ParkedPulls parked = new ParkedPulls(null, null, 0);
  private final List<Integer> expired = new ArrayList<>();

  @Test
  void shouldExpireEachPullWhenItsTimeIsUpAndNoOther() {
    hold(3, 300);
    hold(1, 100);
    hold(2, 200);

    assertThat(expiredAt(99)).isEmpty();
    assertThat(expiredAt(100)).containsExactly(1);
    assertThat(expiredAt(199)).isEmpty();
    assertThat(expiredAt(400)).containsExactlyInAnyOrder(2, 3);
    assertThat(parked.count()).isZero();
  }

  @Test
  void shouldExpireWhatCameAfterAllOthersWereTakenOut() {
    hold(1, 100);
    parked.take("T", 1);
    hold(2, 500);
    hold(3, 400);
    parked.take("T", 3);

    assertThat(expiredAt(499)).isEmpty();
    assertThat(expiredAt(500)).containsExactly(2);
  }

  @Test
  void shouldExpireWhenTheClockGoesBeyondItsLargestNumber() {
    long nearEnd = Long.MAX_VALUE - 10;
    hold(1, nearEnd + 100);

    assertThat(expiredAt(nearEnd)).isEmpty();
    assertThat(expiredAt(nearEnd + 100)).containsExactly(1);
  }

  private List<Integer> expiredAt(long nowNs) {
    expired.clear();
    parked.expire(nowNs, pull -> expired.add(pull.opaque()));
    return expired;
  }

  private void hold(int opaque, long deadlineNs) {
    parked.hold(new Pull(null, opaque, SerializeType.JSON, "T", opaque, 0, 32, 1 << 20, () -> null, GROUP, null, deadlineNs));
  }
}
