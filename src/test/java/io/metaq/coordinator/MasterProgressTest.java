package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.coordinator.MasterProgress.Known;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MasterProgressTest {
  private final MasterProgress progress = new MasterProgress();

  @Test
  void shouldReadTheLogFromAnEndThatWasSeenBeforeAnEarlierSecondWasTold() {
    assertThat(progress.heard(new MasterTimers(1_000, 10))).isEqualTo(new Known(1_000, OptionalLong.empty(), 10));
    assertThat(progress.heard(new MasterTimers(4_000, 40))).isEqualTo(new Known(4_000, OptionalLong.empty(), 40));

    assertThat(progress.heard(new MasterTimers(7_000, 70))).isEqualTo(new Known(7_000, OptionalLong.of(10), 70));
    assertThat(progress.heard(new MasterTimers(10_000, 100))).isEqualTo(new Known(10_000, OptionalLong.of(40), 100));
  }

  @Test
  void shouldStayWhereItIsWhileTheMasterDoes() {
    progress.heard(new MasterTimers(1_000, 10));
    progress.heard(new MasterTimers(4_000, 40));
    progress.heard(new MasterTimers(7_000, 70));

    assertThat(progress.heard(new MasterTimers(7_000, 80))).isEqualTo(new Known(7_000, OptionalLong.of(10), 80));
    assertThat(progress.heard(new MasterTimers(8_000, 90))).isEqualTo(new Known(8_000, OptionalLong.of(70), 90));
  }

  @Test
  void shouldBeginAnewWithAMasterThatIsBehind() {
    progress.heard(new MasterTimers(1_000, 10));
    progress.heard(new MasterTimers(4_000, 40));

    assertThat(progress.heard(new MasterTimers(2_000, 20))).isEqualTo(new Known(2_000, OptionalLong.empty(), 20));
    assertThat(progress.heard(new MasterTimers(3_000, 30))).isEqualTo(new Known(3_000, OptionalLong.empty(), 30));
  }
}
