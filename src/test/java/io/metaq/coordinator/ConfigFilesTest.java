package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.HandClock;
import io.metaq.model.DataVersion;
import io.metaq.store.Disk;
import io.metaq.store.TestDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFilesTest {
  private static final ConfigFormat<DelayOffsetsFile> FORMAT = DelayOffsetsFile.FORMAT;

  @TempDir Path root;

  private final HandClock clock = new HandClock();
  private Path folder;
  private Path current;
  private Path written;
  private Path previous;
  private ConfigFiles files;

  @BeforeEach
  void locate() {
    folder = root.resolve("config");
    current = folder.resolve("delayOffset.json");
    written = folder.resolve("delayOffset.json.new");
    previous = folder.resolve("delayOffset.json.bak");
    files = new ConfigFiles(folder, Disk.real(), clock);
  }

  @Test
  void shouldLoadNothingWhenNoFileEverExisted() {
    assertThat(files.load(FORMAT)).isEmpty();
  }

  @Test
  void shouldLoadWhatWasSaved() throws IOException {
    files.save(FORMAT, content(5));

    assertThat(files.load(FORMAT)).contains(content(5));
    assertThat(names()).containsExactly("delayOffset.json");
  }

  @Test
  void shouldKeepTheGenerationBefore() throws IOException {
    files.save(FORMAT, content(5));
    byte[] first = Files.readAllBytes(current);

    files.save(FORMAT, content(6));

    assertThat(files.load(FORMAT)).contains(content(6));
    assertThat(Files.readAllBytes(previous)).isEqualTo(first);
    assertThat(names()).containsExactly("delayOffset.json", "delayOffset.json.bak");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\0\0\0\0\0\0\0\0",
        "{\"dataVersion\":{\"counter\":1",
        "[]",
        "{\"offsetTable\":{1:2}} x",
        "{\"offsetTable\":{\"one\":2}}",
        "{\"offsetTable\":{\"1\":true}}",
        "{\"offsetTable\":7}"
      })
  void shouldUseTheGenerationBeforeWhenTheCurrentOneIsDamaged(String damage) throws IOException {
    files.save(FORMAT, content(5));
    files.save(FORMAT, content(6));
    Files.writeString(current, damage);

    assertThat(files.load(FORMAT)).contains(content(5));
    assertThat(Files.readString(folder.resolve("delayOffset.json.damaged-" + clock.millis()))).isEqualTo(damage);
    assertThat(current).doesNotExist();
  }

  /** Not even the advice to move it away: it is whole. */
  @ParameterizedTest
  @ValueSource(strings = {"delayOffset.json", "delayOffset.json.bak"})
  void shouldRefuseToStartWhereAFileMayNotBeReadAndLeaveItInPlace(String name) throws IOException {
    files.save(FORMAT, content(5));
    files.save(FORMAT, content(6));
    Path denied = folder.resolve(name);
    TestDisk disk = new TestDisk() {
      @Override
      public InputStream read(Path file) throws IOException {
        if (file.equals(denied)) {
          throw new AccessDeniedException(file.toString());
        }
        return super.read(file);
      }
    };

    assertThatThrownBy(() -> new ConfigFiles(folder, disk, clock).load(FORMAT))
        .isInstanceOf(ConfigFileException.class)
        .hasMessage("A config file cannot be read: access to " + denied + " is denied to the user that this process runs as;"
            + " give that user the right to read it and start again.");

    assertThat(names()).containsExactly("delayOffset.json", "delayOffset.json.bak");
  }

  /** Every generation, damaged in every way: another one is used, nothing is lost, and saving goes on. */
  @ParameterizedTest
  @CsvSource({
    "delayOffset.json, RANDOM, 5", "delayOffset.json, SHORTER, 5", "delayOffset.json, EMPTY, 5", "delayOffset.json, FOLDER, 5",
    "delayOffset.json, LINK, 5", "delayOffset.json, MISSING, 5",
    "delayOffset.json.bak, RANDOM, 6", "delayOffset.json.bak, SHORTER, 6", "delayOffset.json.bak, EMPTY, 6",
    "delayOffset.json.bak, FOLDER, 6", "delayOffset.json.bak, LINK, 6", "delayOffset.json.bak, MISSING, 6",
    "delayOffset.json.new, RANDOM, 6", "delayOffset.json.new, SHORTER, 6", "delayOffset.json.new, EMPTY, 6",
    "delayOffset.json.new, FOLDER, 6", "delayOffset.json.new, LINK, 6", "delayOffset.json.new, MISSING, 6"
  })
  void shouldGoOnWithAWholeGenerationAndKeepTheDamagedOne(String file, Damage damage, long next) throws IOException {
    files.save(FORMAT, content(5));
    files.save(FORMAT, content(6));
    Path damaged = folder.resolve(file);
    damage.to(damaged, Files.readAllBytes(current));
    String left = describe(damaged);

    assertThat(files.load(FORMAT)).contains(content(next));

    boolean halfWritten = damaged.equals(written) && Files.isRegularFile(written);
    if (damage != Damage.MISSING && !halfWritten) {
      assertThat(describe(folder.resolve(file + ".damaged-" + clock.millis()))).isEqualTo(left);
    }
    files.save(FORMAT, content(7));
    files.save(FORMAT, content(8));
    assertThat(new ConfigFiles(folder, Disk.real(), clock).load(FORMAT)).contains(content(8));
  }

  @ParameterizedTest
  @EnumSource(value = Damage.class, names = "MISSING", mode = EnumSource.Mode.EXCLUDE)
  void shouldNeverBeginAnewWhenTheOnlyGenerationIsDamaged(Damage damage) throws IOException {
    files.save(FORMAT, content(5));
    damage.to(current, Files.readAllBytes(current));
    String left = describe(current);

    assertThatThrownBy(() -> files.load(FORMAT))
        .isInstanceOf(ConfigFileException.class)
        .hasMessageStartingWith("No readable generation of " + current)
        .message().doesNotContain("\n");
    assertThat(describe(current)).isEqualTo(left);
  }

  @Test
  void shouldSaveAgainAfterTheGenerationBeforeWasUsed() throws IOException {
    files.save(FORMAT, content(5));
    files.save(FORMAT, content(6));
    Files.writeString(current, "damaged");
    files.load(FORMAT);

    files.save(FORMAT, content(7));

    assertThat(files.load(FORMAT)).contains(content(7));
    assertThat(previous).exists();
  }

  @Test
  void shouldRefuseInOneSentenceWhenBothGenerationsAreDamaged() throws IOException {
    files.save(FORMAT, content(5));
    files.save(FORMAT, content(6));
    Files.writeString(current, "damaged");
    Files.writeString(previous, "");

    assertThatThrownBy(() -> files.load(FORMAT))
        .isInstanceOf(ConfigFileException.class)
        .hasMessageStartingWith("No readable generation of " + current)
        .hasMessageContaining("delayOffset.json.bak: it does not begin with an object")
        .hasMessageEndingWith("start with an empty table.")
        .message()
        .doesNotContain("\n");
    assertThat(names()).containsExactly("delayOffset.json", "delayOffset.json.bak");
  }

  @Test
  void shouldRefuseWhenTheOnlyGenerationIsDamaged() throws IOException {
    files.save(FORMAT, content(5));
    Files.writeString(current, "{");

    assertThatThrownBy(() -> files.load(FORMAT)).isInstanceOf(ConfigFileException.class).hasMessageContaining("bak: missing");
  }

  @Test
  void shouldIgnoreAHalfWrittenFile() throws IOException {
    files.save(FORMAT, content(5));
    Files.writeString(written, "{\"offsetTable\":{\"1\":");

    assertThat(files.load(FORMAT)).contains(content(5));
  }

  @Test
  void shouldStartEmptyWhenTheVeryFirstSaveWasCutOff() throws IOException {
    Files.createDirectories(folder);
    Files.writeString(written, "{\"offsetTable\":{\"1\":");

    assertThat(files.load(FORMAT)).isEmpty();
  }

  @Test
  void shouldUseTheNewFileWhenTheProcessEndedBetweenTheTwoRenames() throws IOException {
    files.save(FORMAT, content(5));
    files.save(FORMAT, content(6));
    Files.move(current, written);

    assertThat(files.load(FORMAT)).contains(content(6));
    assertThat(names()).containsExactly("delayOffset.json", "delayOffset.json.bak");
  }

  @Test
  void shouldUseTheGenerationBeforeWhenTheCurrentOneIsMissing() throws IOException {
    files.save(FORMAT, content(5));
    files.save(FORMAT, content(6));
    Files.delete(current);

    assertThat(files.load(FORMAT)).contains(content(5));
  }

  @Test
  void shouldKeepTheCurrentFileWhenWritingTheNextOneFails() throws IOException {
    files.save(FORMAT, content(5));

    assertThatThrownBy(() -> files.save(new HalfWay(), content(6))).hasMessage("no space left");

    assertThat(files.load(FORMAT)).contains(content(5));
    files.save(FORMAT, content(7));
    assertThat(files.load(FORMAT)).contains(content(7));
  }

  @Test
  void shouldWriteTabsAndSortedLevels() throws IOException {
    files.save(FORMAT, new DelayOffsetsFile(new DataVersion(0, 1_700_000_000_000L, 2), Map.of(18, 5L, 3, 41L)));

    assertThat(Files.readString(current, StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {
            \t"dataVersion":{
            \t\t"counter":2,
            \t\t"stateVersion":0,
            \t\t"timestamp":1700000000000
            \t},
            \t"offsetTable":{
            \t\t"3":41,
            \t\t"18":5
            \t}
            }"""
                .replace("\r", ""));
  }

  /** What a damage leaves of a file whose content was {@code whole}. */
  private enum Damage {
    RANDOM, SHORTER, EMPTY, FOLDER, LINK, MISSING;

    void to(Path file, byte[] whole) throws IOException {
      Files.deleteIfExists(file);
      switch (this) {
        case RANDOM -> {
          byte[] bytes = new byte[whole.length];
          new Random(1).nextBytes(bytes);
          Files.write(file, bytes);
        }
        case SHORTER -> Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        case EMPTY -> Files.createFile(file);
        case FOLDER -> Files.createFile(Files.createDirectory(file).resolve("inside"));
        case LINK -> Files.createSymbolicLink(file, Path.of("/nowhere/at/all"));
        case MISSING -> { }
      }
    }
  }

  private static String describe(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return "link to " + Files.readSymbolicLink(path);
    }
    if (Files.isDirectory(path)) {
      return "folder with " + path.toFile().list().length;
    }
    return Files.exists(path) ? Arrays.toString(Files.readAllBytes(path)) : "missing";
  }

  private static DelayOffsetsFile content(long next) {
    return new DelayOffsetsFile(new DataVersion(0, 1, next), Map.of(1, next));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** Writes a few bytes, then fails as a full disk would. */
  private static final class HalfWay implements ConfigFormat<DelayOffsetsFile> {
    @Override
    public String fileName() {
      return FORMAT.fileName();
    }

    @Override
    public DelayOffsetsFile read(JsonParser json) throws IOException {
      return FORMAT.read(json);
    }

    @Override
    public void write(DelayOffsetsFile content, JsonGenerator json) throws IOException {
      json.writeStartObject();
      json.flush();
      throw new IOException("no space left");
    }
  }
}
