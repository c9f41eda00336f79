package io.metaq.coordinator;

import static io.metaq.coordinator.CoordinatorRig.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.WatchedVertx;
import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.model.TopicConfig;
import io.metaq.store.Disk;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(WatchedVertx.class)
class TopicCoordinatorVerticleTest {
  @TempDir Path folder;

  private CoordinatorRig rig;
  private String config;

  @BeforeEach
  void startConfig(Vertx vertx) {
    rig = new CoordinatorRig(vertx, folder);
    config = rig.startConfig();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldTellLoopsAndRegistrationAndHaveTheTopicOnDiskBeforeItAnswers() throws IOException {
    deploy();

    Optional<TopicConfig> made = await(rig.topics.createFromTemplate("orders", "TBW102", 4, "r"));

    assertThat(made).contains(TopicConfig.of("orders", 4, 6));
    assertThat(stored().topics()).contains(TopicConfig.of("orders", 4, 6));
    for (int loop = 0; loop < CoordinatorRig.LOOPS; loop++) {
      assertThat(rig.heard(loop, TopicsDelta.class).changed()).containsExactly(TopicConfig.of("orders", 4, 6));
    }
    TopicsDelta registered = rig.next(rig.registration, TopicsDelta.class);
    assertThat(registered.changed()).containsExactly(TopicConfig.of("orders", 4, 6));
    assertThat(registered.complete()).isFalse();
    assertThat(registered.version()).isEqualTo(await(rig.topics.snapshot()).version());
  }

  @Test
  void shouldAnswerWithTheTopicThatExistsAndTellNobody() {
    deploy();
    await(rig.topics.createFromTemplate("orders", "TBW102", 4, "r"));
    rig.heard(0, TopicsDelta.class);

    assertThat(await(rig.topics.createFromTemplate("orders", "TBW102", 8, "r"))).contains(TopicConfig.of("orders", 4, 6));
    assertThat(await(rig.topics.ensure(TopicConfig.of("orders", 1, 4)))).isEqualTo(TopicConfig.of("orders", 4, 6));

    assertThat(rig.drain(0)).isEmpty();
  }

  @Test
  void shouldMakeARetryTopicAsGiven() {
    deploy();

    assertThat(await(rig.topics.ensure(TopicConfig.of("%RETRY%g", 1, 6)))).isEqualTo(TopicConfig.of("%RETRY%g", 1, 6));
  }

  @Test
  void shouldMakeNothingUnderABadName() {
    deploy();
    TopicsDelta before = await(rig.topics.snapshot());

    assertThat(await(rig.topics.createFromTemplate("../x", "TBW102", 4, "r"))).isEmpty();

    assertThat(await(rig.topics.snapshot())).isEqualTo(before);
    assertThat(rig.drain(0)).isEmpty();
  }

  @Test
  void shouldKnowItsTopicsAfterARestart() {
    String deployment = deploy();
    await(rig.topics.createFromTemplate("orders", "TBW102", 4, "r"));
    TopicsDelta before = await(rig.topics.snapshot());
    rig.undeploy(deployment);

    deploy();

    assertThat(await(rig.topics.snapshot())).isEqualTo(before);
  }

  @Test
  void shouldRefuseToStartInOneSentenceWhenItsFileIsUnreadable() throws IOException {
    Files.writeString(folder.resolve("topics.json"), "not json");

    assertThatThrownBy(this::deploy)
        .cause()
        .isInstanceOf(ConfigFileException.class)
        .hasMessageStartingWith("No readable generation of " + folder.resolve("topics.json"));
  }

  @Test
  void shouldStillMakeTopicsWhenTheFileCannotBeWritten() throws IOException {
    String deployment = deploy();
    Files.createDirectory(folder.resolve("topics.json.new"));

    assertThat(await(rig.topics.createFromTemplate("orders", "TBW102", 4, "r"))).isPresent();
    assertThat(stored().topics()).doesNotContain(TopicConfig.of("orders", 4, 6));

    // To read what is stored has put the folder aside.
    assertThat(folder.resolve("topics.json.new")).doesNotExist();
    rig.undeploy(deployment);
    assertThat(stored().topics()).contains(TopicConfig.of("orders", 4, 6));
  }

  @Test
  void shouldFailTheCallerWhenNobodyKeepsTheFiles() {
    rig.undeploy(config);

    assertThatThrownBy(this::deploy).isInstanceOf(AssertionError.class);
  }

  private String deploy() {
    return rig.startTopics();
  }

  private TopicsFile stored() {
    return new ConfigFiles(folder, Disk.real(), rig.clock).load(TopicsFile.FORMAT).orElseThrow();
  }
}
