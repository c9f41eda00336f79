package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.model.DataVersion;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalCommitsTest {
  private static final long BASE = 10;
  private static final long COMMITTED = 20;
  private static final long FIRST_RUN = 1_000;
  private static final long SECOND_RUN = 2_000;

  private final LocalCommits commits = new LocalCommits();

  @Test
  void shouldTellTheMasterWhatWasCommittedWhileItWasAway() {
    commits.judge(master(BASE), FIRST_RUN);
    commits.add("g", "t", 3, BASE, 15);
    commits.add("g", "t", 3, 15, COMMITTED);

    OffsetCommits told = commits.judge(master(BASE), FIRST_RUN);

    assertThat(told.count()).isEqualTo(1);
    assertThat(told.group(0)).isEqualTo("g");
    assertThat(told.topic(0)).isEqualTo("t");
    assertThat(told.queueId(0)).isEqualTo(3);
    assertThat(told.queueOffset(0)).isEqualTo(COMMITTED);
  }

  @Test
  void shouldTellAMasterThatNeverHeardOfTheGroup() {
    commits.add("g", "t", 3, -1, COMMITTED);

    assertThat(commits.judge(new OffsetsFile(DataVersion.INITIAL, Map.of(), Map.of(), Map.of(), Map.of()), FIRST_RUN).count()).isEqualTo(1);
  }

  @Test
  void shouldForgetWhatTheMasterKnowsBetter() {
    commits.add("g", "t", 3, BASE, COMMITTED);

    assertThat(commits.judge(master(COMMITTED), FIRST_RUN).count()).isZero();
    assertThat(commits.find("g", "t", 3)).isEmpty();
  }

  @Test
  void shouldLetAResetOnTheMasterStand() {
    commits.judge(master(BASE), FIRST_RUN);
    commits.add("g", "t", 3, BASE, COMMITTED);

    assertThat(commits.judge(master(BASE - 5), FIRST_RUN).count()).isZero();
    assertThat(commits.judge(master(BASE), FIRST_RUN).count()).isZero();
  }

  @Test
  void shouldNotTakeTheLossOfARestartForAReset() {
    commits.judge(master(BASE), FIRST_RUN);
    commits.add("g", "t", 3, BASE, COMMITTED);

    assertThat(commits.judge(master(BASE - 5), SECOND_RUN).queueOffset(0)).isEqualTo(COMMITTED);
    // The first telling may have been cut off.
    assertThat(commits.judge(master(BASE - 5), SECOND_RUN).queueOffset(0)).isEqualTo(COMMITTED);
  }

  @Test
  void shouldLetAResetStandOnAMasterThatDoesNotSayWhenItStarted() {
    commits.judge(master(BASE), 0);
    commits.add("g", "t", 3, BASE, COMMITTED);

    assertThat(commits.judge(master(BASE - 5), 0).count()).isZero();
  }

  @Test
  void shouldForgetWhatTheMasterTookButNotWhatWasCommittedMeanwhile() {
    commits.add("g", "t", 3, BASE, COMMITTED);
    OffsetCommits told = commits.judge(master(BASE), FIRST_RUN);
    commits.add("g", "t", 3, COMMITTED, 30);

    commits.taken(told);

    assertThat(commits.find("g", "t", 3)).contains(30L);
    assertThat(commits.judge(master(COMMITTED), FIRST_RUN).queueOffset(0)).isEqualTo(30);

    commits.taken(commits.judge(master(COMMITTED), FIRST_RUN));

    assertThat(commits.find("g", "t", 3)).isEmpty();
  }

  private static OffsetsFile master(long queueOffset) {
    return new OffsetsFile(DataVersion.INITIAL, Map.of("g", Map.of("t", Map.of(3, queueOffset))), Map.of(), Map.of(), Map.of());
  }
}
