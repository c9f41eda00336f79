package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFileTest {
  @TempDir
  Path folder;

  private final List<Boolean> there = new ArrayList<>();

  @Test
  void shouldKeepTheFilesNameAtEveryMomentOfAReplacement() throws IOException {
    Path file = folder.resolve("note.json");
    replace(new WatchedDisk(file, true), file, "first");
    there.clear();

    replace(new WatchedDisk(file, true), file, "second");
    replace(new WatchedDisk(file, true), file, "third");

    assertThat(there).isNotEmpty().doesNotContain(false);
    assertThat(file).hasContent("third");
    assertThat(DurableFile.backupOf(file)).hasContent("second");
  }

  @Test
  void shouldGoOnAfterALeftOverSecondName() throws IOException {
    Path file = folder.resolve("note.json");
    replace(Disk.real(), file, "first");
    Files.createLink(folder.resolve("note.json.old"), file);

    replace(Disk.real(), file, "second");

    assertThat(file).hasContent("second");
    assertThat(DurableFile.backupOf(file)).hasContent("first");
  }

  @Test
  void shouldKeepTheGenerationBeforeWhereAFileCanHaveOnlyOneName() throws IOException {
    Path file = folder.resolve("note.json");
    replace(Disk.real(), file, "first");

    replace(new WatchedDisk(file, false), file, "second");

    assertThat(file).hasContent("second");
    assertThat(DurableFile.backupOf(file)).hasContent("first");
  }

  private static void replace(Disk disk, Path file, String content) throws IOException {
    DurableFile.replace(disk, file, content.getBytes(StandardCharsets.US_ASCII));
  }

  /** Notes before and after each change of names whether the file is there. */
  private final class WatchedDisk extends TestDisk {
    private final Path file;
    private final boolean links;

    WatchedDisk(Path file, boolean links) {
      this.file = file;
      this.links = links;
    }

    @Override
    public void move(Path from, Path to) throws IOException {
      look();
      super.move(from, to);
      look();
    }

    @Override
    public void link(Path from, Path second) throws IOException {
      if (!links) {
        throw new UnsupportedOperationException("no links here");
      }
      super.link(from, second);
      look();
    }

    @Override
    public void delete(Path gone) throws IOException {
      super.delete(gone);
      look();
    }

    private void look() {
      there.add(Files.exists(file));
    }
  }
}
