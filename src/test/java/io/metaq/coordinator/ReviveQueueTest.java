package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReviveQueueTest {
  private final ReviveQueue queue = new ReviveQueue();

  @Test
  void shouldBeNeededFromTheOldestCheckPointOn() {
    Checkpoint first = checkpoint(0);
    Checkpoint second = checkpoint(1);
    Checkpoint third = checkpoint(2);
    for (int i = 0; i < 3; i++) {
      queue.wrote(i);
    }
    queue.add(first, 0);
    queue.add(second, 1);
    queue.add(third, 2);

    assertThat(queue.first()).isZero();
    queue.remove(second);
    assertThat(queue.first()).isZero();
    queue.remove(first);
    assertThat(queue.first()).isEqualTo(2);
    queue.remove(third);
    assertThat(queue.first()).isEqualTo(3);
    assertThat(queue.head()).isNull();
  }

  @Test
  void shouldBeNeededFromWhatIsPinnedOn() {
    queue.wrote(0);
    queue.pin(0);
    queue.wrote(1);
    queue.pin(1);

    assertThat(queue.first()).isZero();
    queue.unpin(1);
    assertThat(queue.first()).isEqualTo(1);
    queue.unpin(2);
    assertThat(queue.first()).isEqualTo(2);
  }

  @Test
  void shouldKnowWhatOthersWroteInBetween() {
    queue.begin(4);
    queue.wrote(4);
    queue.wrote(7);

    assertThat(queue.takeGap(8)).isEqualTo(new ReviveQueue.Gap(5, 7));
    assertThat(queue.takeGap(8)).isNull();
    assertThat(queue.takeGap(10)).isEqualTo(new ReviveQueue.Gap(8, 10));
    assertThat(queue.takeGap(10)).isNull();
  }

  @Test
  void shouldBeNeededFromWhatOthersWroteOnUntilItIsRead() {
    queue.begin(4);
    queue.wrote(4);
    queue.wrote(7);

    assertThat(queue.first()).isEqualTo(5);
    queue.takeGap(8);
    assertThat(queue.first()).isEqualTo(8);
  }

  @Test
  void shouldBeNeededFromACheckPointOnThatWasFoundInAGap() {
    Checkpoint ours = checkpoint(0);
    Checkpoint found = checkpoint(1);
    queue.wrote(7);
    queue.takeGap(8);
    queue.add(ours, 7);
    queue.add(found, 5);

    assertThat(queue.first()).isEqualTo(5);
    queue.remove(found);
    assertThat(queue.first()).isEqualTo(7);
    queue.remove(ours);
    assertThat(queue.head()).isNull();
  }

  private static Checkpoint checkpoint(long startOffset) {
    return new Checkpoint(new PopQueue("g", "t", 0), startOffset, 1, 1, 0, new int[] {0}, false, 0);
  }
}
