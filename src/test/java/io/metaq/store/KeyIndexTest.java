package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyIndexTest {
  private static final int ENTRIES = 4;

  @TempDir
  Path root;

  /** Seen before: the process died, because the mapping was gone. */
  @Test
  void shouldNotForceAFileThatWasDeletedMeanwhile() throws IOException {
    KeyIndex index = new KeyIndex(Disk.real(), root, 8, ENTRIES, new TestClock(), List.of(), 0);
    index.put(1, 100, 1000);
    KeyIndex.ForceTask task = index.unforced();
    for (int phyOffset = 200; phyOffset < 200 + ENTRIES; phyOffset++) {
      index.put(1, phyOffset, 1000);
    }
    index.removeBelow(Long.MAX_VALUE);

    task.run();

    assertThat(index.lastPhyOffset()).isEqualTo(199 + ENTRIES);
    index.close();
  }
}
