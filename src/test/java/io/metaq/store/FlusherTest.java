package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.model.AppendStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlusherTest {
  @TempDir
  Path root;

  private final List<String> forces = new ArrayList<>();

  @Test
  void shouldForceOldestFileFirstAndOnlyWhatIsNew() {
    try (TestStore test = TestStore.open(TestStore.options(root), recording(), new TestProbe())) {
      test.append(new TestRecords().add("a", 0, new byte[40_000], Map.of()));
      long first = test.store.flusher().flush();
      test.append(new TestRecords().add("a", 0, new byte[40_000], Map.of()));

      long second = test.store.flusher().flush();

      assertThat(forces).containsExactly("0-" + first, first + "-65536", "65536-" + second);
      assertThat(test.store.flusher().flushedOffset()).isEqualTo(second).isEqualTo(test.store.log().appendedOffset());
    }
  }

  @Test
  void shouldNotForceWhenNothingWasAppended() {
    try (TestStore test = TestStore.open(TestStore.options(root), recording(), new TestProbe())) {
      test.append("a", 0, "x");
      test.store.flusher().flush();

      test.store.flusher().flush();

      assertThat(forces).hasSize(1);
    }
  }

  @Test
  void shouldCoverManyAppendsWithOneForce() {
    try (TestStore test = TestStore.open(TestStore.options(root), recording(), new TestProbe())) {
      for (int i = 0; i < 100; i++) {
        test.append("a", 0, "message " + i);
      }

      test.store.flusher().flush();

      assertThat(forces).hasSize(1);
    }
  }

  @Test
  void shouldShowMessagesUnderSyncFlushOnlyAfterTheForce() {
    try (TestStore test = TestStore.open(TestStore.options(root).withFlushMode(FlushMode.SYNC_FLUSH))) {
      long phyOffset = test.append("a", 0, "x").phyOffset(0);
      test.dispatch();
      assertThat(test.store.view().maxOffset("a", 0)).isZero();
      assertThat(test.store.view().recordAt(phyOffset)).isEmpty();

      test.store.flusher().flush();
      test.dispatch();

      assertThat(test.bodies("a", 0)).containsExactly("x");
    }
  }

  @Test
  void shouldRefuseEverythingAfterAFailedForceUntilItIsOpenedAnew() {
    Forcer failing = (segment, from, to) -> {
      forces.add("failed");
      throw new IOException("bad sector");
    };
    TestStore test = TestStore.open(TestStore.options(root), failing, new TestProbe());
    test.append("a", 0, "maybe on disk");

    assertThatThrownBy(() -> test.store.flusher().flush()).isInstanceOf(StoreException.class).hasMessageContaining("bad sector");
    TestRecords refused = test.append("a", 0, "refused");
    assertThatThrownBy(() -> test.store.flusher().flush()).isInstanceOf(StoreException.class);

    assertThat(refused.status(0)).isEqualTo(AppendStatus.UNAVAILABLE);
    assertThat(refused.detail(0)).contains("cannot be forced to disk");
    assertThat(forces).hasSize(1);
    assertThat(test.store.flusher().flushedOffset()).isZero();
    assertThatThrownBy(test::close).isInstanceOf(StoreException.class);
    assertThat(Files.exists(root.resolve("abort"))).isTrue();
    try (TestStore again = TestStore.open(root)) {
      assertThat(again.bodies("a", 0)).containsExactly("maybe on disk");
    }
  }

  private Forcer recording() {
    return (segment, from, to) -> forces.add(from + "-" + to);
  }
}
