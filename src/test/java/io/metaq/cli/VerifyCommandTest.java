package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.store.StoreFixture;
import io.metaq.store.StoreOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {
  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir
  Path root;

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void giveBack() {
    System.setOut(realOut);
    System.setErr(realErr);
  }

  @Test
  void shouldEndASoundStoreWithATableAndAVerdict() {
    StoreFixture.writeClosed(root);

    int status = verify(root);

    assertThat(status).isZero();
    assertThat(lines()).hasSize(7);
    assertThat(lines().get(1)).matches("commit log +\\d+ +600 records +0 +0");
    assertThat(lines().get(6)).isEqualTo("verdict: SOUND; it was closed in order");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void shouldNameTheDamagedPlaceAndEndWithStatus1() throws IOException {
    StoreFixture.writeClosed(root);
    Path log = root.resolve("commitlog/00000000000000000000");
    byte[] bytes = Files.readAllBytes(log);
    bytes[95] ^= 1;
    Files.write(log, bytes);

    int status = verify(root);

    assertThat(status).isEqualTo(1);
    assertThat(lines().get(0)).startsWith(
        "damage: commitlog/00000000000000000000 at 0: the checksum of its body is wrong (message 0 of orders/0); recovery ");
    assertThat(lines().get(lines().size() - 1)).isEqualTo("verdict: DAMAGED in 1 place (commit log); it was closed in order");
  }

  @Test
  void shouldTellOfConfigFilesThatAStartCannotRead() throws IOException {
    StoreFixture.writeClosed(root);
    Path config = root.resolve("config");
    Files.writeString(config.resolve("queueEnds.json"), "{}");
    Files.writeString(config.resolve("topics.json"), "{\"topicConfigTable\":5}");
    Files.writeString(config.resolve("consumerOffset.json"), "{\"offsetTable\":{\"t@g\":{\"0\":7}}}");
    Files.writeString(config.resolve("subscriptionGroup.json.bak"), "{\"subscriptionGroupTable\":[]}");

    assertThat(verify(root)).isEqualTo(1);

    assertThat(lines()).filteredOn(line -> line.startsWith("damage: config/")).satisfiesExactly(
        line -> assertThat(line).startsWith("damage: config/queueEnds.json cannot be read: phyOffset is missing; "),
        line -> assertThat(line).startsWith("damage: config/subscriptionGroup.json is missing"),
        line -> assertThat(line).startsWith("damage: config/subscriptionGroup.json.bak cannot be read: expected an object; "),
        line -> assertThat(line).startsWith("damage: config/topics.json cannot be read: expected an object; "));
  }

  @Test
  void shouldEndWithStatus2WhereThereIsNoStore() {
    assertThat(verify(root)).isEqualTo(2);
    assertThat(verify(root.resolve("none"))).isEqualTo(2);
    assertThat(Main.run("verify")).isEqualTo(2);

    assertThat(err.toString(StandardCharsets.UTF_8)).contains("holds no store")
        .contains("none does not exist").contains("--data=DIR");
  }

  /** Status 1 would say that the store is damaged. */
  @Test
  void shouldEndWithStatus2OnAWrongConfiguration() {
    StoreFixture.writeClosed(root);

    assertThat(verify(root, "-D", "maxIndexNum=none")).isEqualTo(2);
    assertThat(verify(root, "-c", root.resolve("no.conf").toString())).isEqualTo(2);
    assertThat(Main.run("verify", "--data", root.toString(), "-D", "mappedFileSizeCommitLog=10")).isEqualTo(2);
    assertThat(Main.run("dump", "--data", root.toString(), "-D", "mappedFileSizeCommitLog=10")).isEqualTo(2);

    assertThat(lines()).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("maxIndexNum").contains("no.conf (-c) does not exist")
        .contains("mappedFileSizeCommitLog").contains("'metaq dump --help' tells what can be given.");
  }

  @Test
  void shouldShowItsProgressWhenAskedTo() {
    StoreFixture.writeClosed(root);

    verify(root, "--progress");

    assertThat(err.toString(StandardCharsets.UTF_8)).contains("checking the commit log: 0 %");
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static int verify(Path root, String... more) {
    StoreOptions sizes = StoreFixture.options(root);
    List<String> arguments = new ArrayList<>(List.of(
        "verify", "--data", root.toString(),
        "-D", "mappedFileSizeCommitLog=" + sizes.logFileSize(),
        "-D", "mappedFileSizeConsumeQueue=" + sizes.queueFileSize(),
        "-D", "maxHashSlotNum=" + sizes.indexSlots(),
        "-D", "maxIndexNum=" + sizes.indexEntries()));
    arguments.addAll(List.of(more));
    return Main.run(arguments.toArray(String[]::new));
  }
}
