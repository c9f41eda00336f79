package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorTest {
  @TempDir Path folder;

  @Test
  void shouldKeepTheOrderOfTheFile() throws Exception {
    Path file = folder.resolve("two.json");
    Files.writeString(file, "{\"verticles\":[{\"class\":\"a.B\"},{\"class\":\"a.A\",\"options\":{\"config\":{\"listenPort\":7}}}]}");

    Descriptor descriptor = Descriptor.load(file.toString());

    assertThat(descriptor.name()).isEqualTo("two");
    assertThat(descriptor.entries()).extracting(Descriptor.Entry::shortName).containsExactly("B", "A");
    assertThat(descriptor.config()).containsOnlyKeys("listenPort").containsEntry("listenPort", "7");
  }

  @Test
  void shouldFindAPackedDescriptorByNameOrPath() {
    assertThat(Descriptor.load("verticles/standalone.json")).isEqualTo(Descriptor.packed("standalone"));
    assertThat(Descriptor.load("nowhere/standalone.json")).isEqualTo(Descriptor.packed("standalone"));
    assertThat(Descriptor.load("standalone")).isEqualTo(Descriptor.packed("standalone"));
  }

  @Test
  void shouldSayThatThereIsNoSuchDescriptor() {
    assertFails(() -> Descriptor.load("nowhere/none.json"),
        "there is no descriptor none, neither as a file nor packed into the jar");
  }

  @Test
  void shouldSuggestTheKeyThatWasMeant() {
    assertFails(() -> parse("{\"verticles\":[{\"class\":\"a.B\",\"options\":{\"instanses\":1}}]}"),
        "the descriptor x.json has the unknown key \"instanses\"; did you mean \"instances\"?");
  }

  @Test
  void shouldRefuseAnEntryWithoutClass() {
    assertFails(() -> parse("{\"verticles\":[{\"options\":{}}]}"), "the descriptor x.json has an entry without \"class\"");
  }

  @Test
  void shouldRefuseTwoValuesForOneKey() {
    Descriptor descriptor = parse("{\"verticles\":[{\"class\":\"a.A\",\"options\":{\"config\":{\"listenPort\":7}}},"
        + "{\"class\":\"a.B\",\"options\":{\"config\":{\"listenPort\":8}}}]}");

    assertFails(descriptor::config, "the descriptor x sets listenPort twice, to \"7\" and \"8\"");
  }

  @Test
  void shouldSayThatAFileIsNoDescriptor() {
    assertThatThrownBy(() -> parse("[1]"))
        .isInstanceOf(StartFailure.class)
        .hasMessageStartingWith("the descriptor x.json is not an object with a list \"verticles\"");
  }

  private static Descriptor parse(String json) {
    return Descriptor.parse("x.json", json.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertFails(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String sentence) {
    assertThatThrownBy(call).isInstanceOf(StartFailure.class).hasMessage(sentence);
  }
}
