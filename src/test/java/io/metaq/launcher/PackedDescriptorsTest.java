package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.coordinator.MasterTablesVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Loads each file of {@code verticles/} and holds it against the launcher's rules. */
class PackedDescriptorsTest {
  private static final int LOOPS = 3;

  static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("verticles"))) {
      return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".json"))
          .map(name -> name.replace(".json", "")).sorted().toList();
    }
  }

  @Test
  void shouldPackEachDescriptorIntoTheJar() throws IOException {
    assertThat(names()).containsExactly("bridge", "broker-master", "broker-slave", "broker-sync-master", "nameserver", "standalone");
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldNameVerticlesInAnOrderInWhichEachFindsWhatItNeeds(String name) {
    assertThat(VerticleKinds.check(Descriptor.packed(name))).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldGiveEachVerticleItsThreads(String name) {
    Descriptor descriptor = Descriptor.packed(name);
    Map<String, Integer> threads = new HashMap<>();
    Map<String, Integer> verticles = new HashMap<>();

    for (Descriptor.Entry entry : descriptor.entries()) {
      VerticleKind kind = VerticleKinds.of(descriptor, entry);
      DeploymentOptions options = kind.options(descriptor, entry, LOOPS);

      assertThat(options.getInstances()).as(entry.shortName()).isEqualTo(kind.everyLoop() ? LOOPS : 1);
      if (options.getThreadingModel() == ThreadingModel.WORKER) {
        threads.put(options.getWorkerPoolName(), options.getWorkerPoolSize());
        verticles.merge(options.getWorkerPoolName(), 1, Integer::sum);
      }
    }
    assertThat(threads).as("a thread for each verticle of a pool, so that none waits for another").isEqualTo(verticles);
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldConfigureKnownKeysOnly(String name) {
    Descriptor descriptor = Descriptor.packed(name);

    SettingsReader.Result result =
        new SettingsReader(ConfigKeys.load(), VerticleKinds.check(descriptor)).read(List.of(Source.descriptor(descriptor)));

    assertThat(result.remarks()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldBeExplainedInTheReadme(String name) throws IOException {
    String readme = Files.readString(Path.of("verticles/README.md"));

    assertThat(readme).contains("`" + name + ".json`");
    assertThat(Descriptor.packed(name).entries()).allSatisfy(entry -> assertThat(readme).contains("`" + entry.shortName() + "`"));
  }

  @Test
  void shouldHaveAFactoryForEachVerticleOfTheStandaloneAndTheOneOnlySlavesHave() {
    List<String> expected = new ArrayList<>(VerticleKinds.all().stream().map(kind -> kind.type().getName()).toList());
    expected.remove(MasterTablesVerticle.class.getName());

    assertThat(Descriptor.packed("standalone").entries())
        .extracting(Descriptor.Entry::className)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void shouldSuggestTheClassThatWasMeant() {
    assertRefused("{\"class\":\"io.metaq.nameserver.NameserverVerticl\"}",
        "the descriptor x names the class io.metaq.nameserver.NameserverVerticl, which is no verticle of MetaQ;"
            + " did you mean io.metaq.nameserver.NameServerVerticle?");
  }

  @Test
  void shouldRefuseAVerticleBeforeTheOneItNeeds() {
    assertRefused("{\"class\":\"io.metaq.coordinator.TopicCoordinatorVerticle\"}",
        "the descriptor x: TopicCoordinatorVerticle needs ConfigVerticle before it");
  }

  @Test
  void shouldRefuseTheSameVerticleTwice() {
    String entry = "{\"class\":\"io.metaq.nameserver.NameServerVerticle\"}";

    assertRefused(entry + "," + entry, "the descriptor x names NameServerVerticle twice");
  }

  @Test
  void shouldRefuseADescriptorOfNothing() {
    assertRefused("", "the descriptor x names no verticle, so there is nothing to run");
  }

  @Test
  void shouldRefuseTheWriterOnAPoolOfAnotherSize() {
    Descriptor descriptor = parse("{\"class\":\"io.metaq.store.service.CommitLogVerticle\",\"options\":{\"threadingModel\":\"WORKER\","
        + "\"instances\":1,\"workerPoolName\":\"metaq-log\",\"workerPoolSize\":4}}");
    Descriptor.Entry entry = descriptor.entries().get(0);

    assertThatThrownBy(() -> VerticleKinds.of(descriptor, entry).options(descriptor, entry, LOOPS))
        .isInstanceOf(StartFailure.class)
        .hasMessage("the descriptor x: CommitLogVerticle: workerPoolSize must be 2");
  }

  private static void assertRefused(String entries, String sentence) {
    Descriptor descriptor = parse(entries);

    assertThatThrownBy(() -> VerticleKinds.check(descriptor)).isInstanceOf(StartFailure.class).hasMessage(sentence);
  }

  private static Descriptor parse(String entries) {
    return Descriptor.parse("x.json", ("{\"verticles\":[" + entries + "]}").getBytes(StandardCharsets.UTF_8));
  }
}
