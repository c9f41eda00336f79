package io.metaq.torture;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlatterTest {
  private static final int CUTS = 200;

  @TempDir
  Path folder;

  private Path root;
  private Platter platter;
  private int cuts;

  @BeforeEach
  void open() throws IOException {
    root = Files.createDirectories(folder.resolve("root"));
    Files.writeString(root.resolve("old"), "old");
    platter = new Platter(root, new NoMoments());
  }

  @AfterEach
  void close() throws IOException {
    platter.close();
  }

  @Test
  void shouldKeepWhatWasThereBefore() throws IOException {
    assertThat(leftOf("old")).containsExactly("old");
  }

  @Test
  void shouldKeepAFileThatWasForcedWithItsName() throws IOException {
    write("file", "forced");

    force("file");
    platter.forceNames(root);

    assertThat(leftOf("file")).containsExactly("forced");
  }

  @Test
  void shouldAtTimesLoseAForcedFileWhoseNameWasNotForced() throws IOException {
    write("file", "forced");

    force("file");

    assertThat(leftOf("file")).containsExactlyInAnyOrder("forced", "none");
  }

  @Test
  void shouldAtTimesLoseWhatWasWrittenAfterTheForce() throws IOException {
    write("old", "new");

    assertThat(leftOf("old")).containsExactlyInAnyOrder("old", "new");
  }

  @Test
  void shouldKeepOfAMappingWhatWasForcedOfIt() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(root.resolve("old").toFile(), "rw")) {
      MappedByteBuffer bytes = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 3);
      bytes.put(0, "NEW".getBytes(US_ASCII));

      platter.force(root.resolve("old"), bytes, 1, 3);
    }

    assertThat(leftOf("old")).containsExactlyInAnyOrder("oEW", "NEW");
  }

  @Test
  void shouldLoseAFolderThatWasNotForcedInTheOneAbove() throws IOException {
    Files.createDirectories(root.resolve("below"));
    write("below/file", "forced");

    force("below/file");
    platter.forceNames(root.resolve("below"));
    assertThat(leftOf("below/file")).containsExactlyInAnyOrder("forced", "none");
    platter.forceNames(root);

    assertThat(leftOf("below/file")).containsExactly("forced");
  }

  @Test
  void shouldRenameAtOnceAndInOrder() throws IOException {
    write("next", "next");
    force("next");
    platter.forceNames(root);

    platter.move(root.resolve("old"), root.resolve("old.bak"));
    platter.move(root.resolve("next"), root.resolve("old"));

    Set<String> states = new HashSet<>();
    for (int i = 0; i < CUTS; i++) {
      Path left = cut();
      states.add(text(left.resolve("old")) + " " + text(left.resolve("old.bak")) + " " + text(left.resolve("next")));
    }
    assertThat(states).containsExactlyInAnyOrder("old none next", "none old next", "next old none");
  }

  @Test
  void shouldBringADeletedFileBackUnlessItsFolderWasForced() throws IOException {
    platter.delete(root.resolve("old"));

    assertThat(leftOf("old")).containsExactlyInAnyOrder("old", "none");
    platter.forceNames(root);
    assertThat(leftOf("old")).containsExactly("none");
  }

  @Test
  void shouldTearPagesAtSectors() throws IOException {
    Files.write(root.resolve("old"), new byte[8192]);
    force("old");
    byte[] ones = new byte[8192];
    java.util.Arrays.fill(ones, (byte) 1);
    Files.write(root.resolve("old"), ones, StandardOpenOption.WRITE);

    Set<Integer> changes = new HashSet<>();
    for (int i = 0; i < CUTS; i++) {
      byte[] left = Files.readAllBytes(cut().resolve("old"));
      for (int at = 1; at < left.length; at++) {
        if (left[at] != left[at - 1]) {
          changes.add(at);
        }
      }
    }

    assertThat(changes).contains(512, 4096).allMatch(at -> at % 512 == 0);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text);
  }

  private void force(String name) throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve(name), StandardOpenOption.WRITE)) {
      platter.force(root.resolve(name), channel, true);
    }
  }

  /** What many power cuts leave of a file, without what is torn. */
  private Set<String> leftOf(String name) throws IOException {
    Set<String> left = new HashSet<>();
    for (int i = 0; i < CUTS; i++) {
      left.add(text(cut().resolve(name)));
    }
    return left;
  }

  /** A cut at this moment; the disk goes on as if nothing had happened. */
  private Path cut() throws IOException {
    Path target = folder.resolve("cut" + cuts++);
    platter.cut(target, new SplittableRandom(cuts));
    return target;
  }

  private static String text(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file) : "none";
  }

  private static final class NoMoments implements Platter.Moments {
    @Override
    public void before() {}

    @Override
    public void meanwhile() {}
  }
}
