package io.metaq.launcher;

import static io.metaq.launcher.HeapRule.Verdict.NEARLY_FULL;
import static io.metaq.launcher.HeapRule.Verdict.USED_UP;
import static io.metaq.launcher.HeapRule.Verdict.WELL;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeapRuleTest {
  private static final long NS_PER_S = 1_000_000_000;

  private final HeapRule rule = new HeapRule(new HeapRule.Look(0, 0, 100, 0, 0));
  private long seconds;
  private long collections;
  private long collectingMs;

  @Test
  void shouldEndWhenCollectionsFreeNothingForFiveSeconds() {
    List<HeapRule.Verdict> verdicts = seconds(5, 95, 20, 950);

    assertThat(verdicts).containsExactly(NEARLY_FULL, WELL, WELL, WELL, USED_UP);
  }

  @Test
  void shouldEndAtTheBoundsThemselves() {
    assertThat(seconds(5, 90, 1, 800)).endsWith(USED_UP);
  }

  @Test
  void shouldLetABusySmallHeapLive() {
    assertThat(seconds(100, 60, 50, 950)).containsOnly(WELL);
  }

  @Test
  void shouldLetAFullHeapLiveThatIsSeldomCollected() {
    assertThat(seconds(100, 99, 5, 790)).doesNotContain(USED_UP);
  }

  @Test
  void shouldLetAHeapLiveThatJustKeepsOffTheBound() {
    assertThat(seconds(100, 89, 50, 1_000)).doesNotContain(USED_UP);
  }

  @Test
  void shouldBeginAnewAfterOneBetterSecond() {
    seconds(4, 95, 20, 950);
    seconds(1, 95, 2, 100);

    assertThat(seconds(4, 95, 20, 950)).doesNotContain(USED_UP);
    assertThat(seconds(1, 95, 20, 950)).containsExactly(USED_UP);
  }

  @Test
  void shouldNotCountOnFiguresOfACollectionLongAgo() {
    seconds(4, 95, 20, 950);

    assertThat(seconds(10, 95, 0, 0)).doesNotContain(USED_UP);
  }

  @Test
  void shouldEndALargeHeapThatIsStoppedLongerThanBetweenTwoLooks() {
    assertThat(rule.judge(new HeapRule.Look(4 * NS_PER_S, 95, 100, 1, 3_900))).isEqualTo(NEARLY_FULL);
    assertThat(rule.judge(new HeapRule.Look(8 * NS_PER_S, 95, 100, 2, 7_800))).isEqualTo(USED_UP);
  }

  @Test
  void shouldWarnOnceUntilThereWasRoomAgain() {
    assertThat(seconds(3, 84, 1, 5)).containsOnly(WELL);
    assertThat(seconds(3, 85, 1, 5)).containsExactly(NEARLY_FULL, WELL, WELL);
    assertThat(seconds(3, 70, 1, 5)).containsOnly(WELL);
    assertThat(seconds(3, 86, 1, 5)).containsOnly(WELL);
    assertThat(seconds(1, 69, 1, 5)).containsOnly(WELL);
    assertThat(seconds(2, 86, 1, 5)).containsExactly(NEARLY_FULL, WELL);
  }

  /** A look each second, after so many more collections, that took so long. */
  private List<HeapRule.Verdict> seconds(int count, long used, int moreCollections, int moreMs) {
    List<HeapRule.Verdict> verdicts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      seconds++;
      collections += moreCollections;
      collectingMs += moreMs;
      verdicts.add(rule.judge(new HeapRule.Look(seconds * NS_PER_S, used, 100, collections, collectingMs)));
    }
    return verdicts;
  }
}
