package io.metaq.codec.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IndexLayoutTest {
  @Test
  void shouldPlaceTheKnownKeyWhereTheReferencePlacesIt() {
    int hash = IndexLayout.keyHash("TopicTest#k1".hashCode());

    assertThat(hash).isEqualTo(2746024);
    assertThat(IndexLayout.slot(hash % 5_000_000)).isEqualTo(10_984_136);
  }

  @Test
  void shouldDropTheSignOfAHash() {
    assertThat(IndexLayout.keyHash("orders#100045".hashCode())).isEqualTo(1532098946);
    assertThat(IndexLayout.keyHash("orders#100045".hashCode()) % 5_000_000).isEqualTo(2098946);
    assertThat(IndexLayout.keyHash(Integer.MIN_VALUE)).isZero();
  }

  @Test
  void shouldHaveTheSizeOfAReferenceFile() {
    assertThat(IndexLayout.fileSize(5_000_000, 20_000_000)).isEqualTo(420_000_040);
  }

  @Test
  void shouldStoreTimesInWholeSecondsWithinTheirRange() {
    assertThat(IndexLayout.timeDiff(10_000, 12_999)).isEqualTo(2);
    assertThat(IndexLayout.timeDiff(10_000, 9_000)).isZero();
    assertThat(IndexLayout.timeDiff(0, 12_999)).isZero();
    assertThat(IndexLayout.timeDiff(1, Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }
}
