package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.model.DataVersion;
import io.metaq.store.Disk;
import io.metaq.torture.Platter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Saves of progress on a disk whose power goes at any force, of which only what was forced is sure to be left. */
class ConfigPowerCutTest {
  private static final int SAVES = 4;
  private static final int CUTS_AT_EACH = 12;

  @TempDir
  Path folder;

  /** The power is gone. */
  private static final class Cut extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldHaveWhatWasSavedLastWhereverThePowerGoes(boolean forced) throws IOException {
    int moment = 0;
    boolean cut = true;
    while (cut) {
      for (int round = 0; round < CUTS_AT_EACH; round++) {
        cut = saveAndCut(moment, forced, round);
      }
      moment++;
    }

    assertThat(moment).isGreaterThan(SAVES);
  }

  /** Cuts at the moment of that number, before its force or behind it; false when there are fewer. */
  private boolean saveAndCut(int moment, boolean forced, int round) throws IOException {
    Path place = Files.createTempDirectory(folder, "round");
    Path disk = Files.createDirectories(place.resolve("disk"));
    Path left = place.resolve("left");
    int saved = 0;
    boolean cut = false;
    try (Platter platter = new Platter(disk, new CutAt(moment, forced))) {
      ConfigFiles files = new ConfigFiles(disk.resolve("config"), platter, new HandClock());
      try {
        while (saved < SAVES) {
          files.save(DelayOffsetsFile.FORMAT, progress(saved + 1));
          saved++;
        }
      } catch (Cut gone) {
        cut = true;
      }
      platter.cut(left, new SplittableRandom(round));
    }

    Optional<DelayOffsetsFile> found =
        new ConfigFiles(left.resolve("config"), Disk.real(), new HandClock()).load(DelayOffsetsFile.FORMAT);

    if (saved == 0) {
      assertThat(found.isEmpty() || found.get().equals(progress(1))).isTrue();
    } else {
      assertThat(found).as("saved %d, power cut at moment %d", saved, moment).isPresent();
      assertThat(found.get()).isIn(progress(saved), progress(saved + 1));
    }
    return cut;
  }

  private static DelayOffsetsFile progress(int save) {
    return new DelayOffsetsFile(new DataVersion(0, 1, save), Map.of(1, (long) save));
  }

  /** Lets the power go at one force. */
  private static final class CutAt implements Platter.Moments {
    private final boolean forced;
    private int left;

    CutAt(int moment, boolean forced) {
      this.left = moment;
      this.forced = forced;
    }

    @Override
    public void before() {
      if (!forced) {
        pass();
      }
    }

    @Override
    public void meanwhile() {
      if (forced) {
        pass();
      }
    }

    private void pass() {
      if (left-- == 0) {
        throw new Cut();
      }
    }
  }
}
