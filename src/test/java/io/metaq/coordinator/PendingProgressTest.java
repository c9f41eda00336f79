package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.coordinator.LocalCommits.Place;
import io.metaq.model.DataVersion;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PendingProgressTest {
  private final AtomicLong copied = new AtomicLong(99);
  private final PendingProgress progress = new PendingProgress(copied::get);

  @Test
  void shouldWaitUntilTheLogIsThere() {
    MasterTold told = told(100);
    progress.add(told);

    assertThat(progress.take()).isEmpty();
    assertThat(progress.isEmpty()).isFalse();
    copied.set(100);
    assertThat(progress.take()).contains(told);
    assertThat(progress.isEmpty()).isTrue();
    assertThat(progress.take()).isEmpty();
  }

  @Test
  void shouldGetOnThoughTheMasterIsAlwaysAhead() {
    MasterTold first = told(100);
    progress.add(first);
    progress.add(told(200));
    copied.set(150);

    assertThat(progress.take()).contains(first);
    progress.add(told(250));
    copied.set(250);
    assertThat(progress.take()).contains(told(250));
  }

  @Test
  void shouldNotGoBackBehindWhatTheMasterWasTold() {
    progress.add(told(100, Map.of(0, 5L, 1, 7L), Set.of()));

    progress.add(told(200, Map.of(1, 8L), Set.of(new Place("g", "T", 0))));
    copied.set(100);

    assertThat(progress.take()).contains(told(100, Map.of(1, 7L), Set.of()));
    assertThat(progress.take()).isEmpty();
  }

  @Test
  void shouldForgetWhatALogHasThatIsNotCopiedAnyMore() {
    progress.add(told(100));

    progress.drop();
    copied.set(100);

    assertThat(progress.isEmpty()).isTrue();
    assertThat(progress.take()).isEmpty();
  }

  private static MasterTold told(long logEnd) {
    return told(logEnd, Map.of(), Set.of());
  }

  private static MasterTold told(long logEnd, Map<Integer, Long> queues, Set<Place> takenOver) {
    OffsetsFile offsets = new OffsetsFile(DataVersion.INITIAL, Map.of("g", Map.of("T", queues)), Map.of(), Map.of(), Map.of());
    return new MasterTold(Optional.of(offsets), Optional.empty(), logEnd, takenOver);
  }
}
