package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.HandClock;
import io.metaq.model.DataVersion;
import io.metaq.model.GroupConfig;
import io.metaq.model.Subscription;
import io.metaq.model.TopicConfig;
import io.metaq.store.Disk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The golden files are described in their folder's README. */
class ConfigFormatsTest {
  @TempDir Path folder;

  @Test
  void shouldReadTheTopicsOfARocketMqBroker() throws IOException {
    TopicsFile topics = golden("topics.json", TopicsFile.FORMAT);

    assertThat(topics.version().counter()).isEqualTo(1);
    assertThat(topics.topics()).hasSize(17)
        .contains(
            TopicConfig.of("SCHEDULE_TOPIC_XXXX", 18, 6),
            TopicConfig.of("TBW102", 8, 7),
            TopicConfig.of("BenchmarkTest", 1024, 6),
            TopicConfig.of("DefaultCluster", 16, 7));
    assertThat(rewritten(TopicsFile.FORMAT, topics)).isEqualTo(topics);
  }

  @Test
  void shouldReadTheGroupsOfARocketMqBroker() throws IOException {
    GroupsFile groups = golden("subscriptionGroup.json", GroupsFile.FORMAT);

    assertThat(groups.groups()).hasSize(8).contains(GroupConfig.of("TOOLS_CONSUMER"), GroupConfig.of("CID_ONSAPI_OWNER"));
    assertThat(rewritten(GroupsFile.FORMAT, groups)).isEqualTo(groups);
  }

  @Test
  void shouldWriteTheFilesOfARocketMqBrokerByteForByte() throws IOException {
    assertWrittenAsFound("topics.json", TopicsFile.FORMAT);
    assertWrittenAsFound("subscriptionGroup.json", GroupsFile.FORMAT);
  }

  @Test
  void shouldKeepRetryPolicyForbiddenTopicsAndAttributesOfAGroup() throws IOException {
    GroupsFile groups = golden("groups-of-a-used-broker.json", GroupsFile.FORMAT);

    assertThat(groups.version()).isEqualTo(new DataVersion(1, 1_700_000_000_000L, 4));
    assertThat(groups.groups())
        .containsExactly(
            new GroupConfig(
                "groupA", true, true, false, true, 2, 3, 0, 1, false, 1, 20,
                "{\"customizedRetryPolicy\":{\"next\":[1000,5000]},\"type\":\"CUSTOMIZED\"}", Map.of("priority.factor", "1")));
    assertThat(groups.forbidden()).containsExactly(Map.entry("groupA", Map.of("orders", 4)));
    assertThat(rewritten(GroupsFile.FORMAT, groups)).isEqualTo(groups);
  }

  @Test
  void shouldReadUnquotedQueueIds() throws IOException {
    OffsetsFile offsets = golden("consumerOffset.json", OffsetsFile.FORMAT);

    assertThat(offsets.version().counter()).isEqualTo(7);
    assertThat(offsets.progress())
        .isEqualTo(Map.of("groupA", Map.of("orders", Map.of(0, 118L, 1, 97L), "%RETRY%groupA", Map.of(0, 3L))));
    assertThat(offsets.others()).isEqualTo(Map.of("pullOffsetTable", "{\"orders@groupA\":{\"0\":120}}"));
    assertThat(rewritten(OffsetsFile.FORMAT, offsets)).isEqualTo(offsets);
  }

  @Test
  void shouldKeepWhenGroupsThatPopWereMoved() throws IOException {
    OffsetsFile offsets = read("{\"offsetTable\":{\"t@g\":{0:1}},\"metaqMoveTable\":{\"t@g\":{0:17}}}", OffsetsFile.FORMAT);

    assertThat(offsets.moves()).isEqualTo(Map.of("g", Map.of("t", Map.of(0, 17L))));
    assertThat(offsets.others()).isEmpty();
    assertThat(rewritten(OffsetsFile.FORMAT, offsets)).isEqualTo(offsets);
  }

  @Test
  void shouldKeepWhatContradictingMembersWant() throws IOException {
    ConflictsFile file = new ConflictsFile(Map.of("g", List.of(
        new ConflictsFile.Side("c1", "10.0.0.1:1", "CONSUME_PASSIVELY", "CLUSTERING", List.of(Subscription.ofTags("orders", "a || b", 0))),
        new ConflictsFile.Side("c2", "10.0.0.2:1", "CONSUME_ACTIVELY", "CLUSTERING", List.of(Subscription.ofSql("orders", "x > 'y\"'", 0))))));

    byte[] json = ConfigJson.encode(ConflictsFile.FORMAT, file);

    assertThat(ConfigJson.decode(ConflictsFile.FORMAT, json)).isEqualTo(file);
    byte[] faulty = "{\"groups\":{\"g\":{}}}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> ConfigJson.decode(ConflictsFile.FORMAT, faulty)).isInstanceOf(IOException.class);
  }

  @Test
  void shouldReadUnquotedDelayLevels() throws IOException {
    assertThat(golden("delayOffset.json", DelayOffsetsFile.FORMAT).nextByLevel()).isEqualTo(Map.of(3, 41L, 18, 5L));
  }

  @Test
  void shouldReadNumbersGivenAsTextAndPassOverNullsAndUnknownFields() throws IOException {
    String topic = "{\"perm\":\"4\",\"order\":\"true\",\"attributes\":null,\"later\":{\"a\":[1]}}";
    String text = "{\"topicConfigTable\":{\"t\":" + topic + "},\"dataVersion\":null}";

    TopicsFile topics = read(text, TopicsFile.FORMAT);

    assertThat(topics.topics()).isEqualTo(List.of(new TopicConfig("t", 16, 16, 4, "SINGLE_TAG", 0, true, Map.of())));
    assertThat(topics.version()).isEqualTo(DataVersion.INITIAL);
  }

  @Test
  void shouldLeaveOutProgressThatNamesNoTopicAndGroup() throws IOException {
    OffsetsFile offsets = read("{\"offsetTable\":{\"orders\":{0:1},\"@g\":{0:1},\"t@\":{0:1},\"t@g\":{0:1}}}", OffsetsFile.FORMAT);

    assertThat(offsets.progress()).isEqualTo(Map.of("g", Map.of("t", Map.of(0, 1L))));
  }

  private <T> void assertWrittenAsFound(String name, ConfigFormat<T> format) throws IOException {
    T content = golden(name, format);
    String theirs = Files.readString(folder.resolve(name));

    new ConfigFiles(folder, Disk.real(), new HandClock()).save(format, content);

    assertThat(Files.readString(folder.resolve(name))).isEqualTo(theirs);
  }

  private <T> T golden(String name, ConfigFormat<T> format) throws IOException {
    try (InputStream in = ConfigFormatsTest.class.getResourceAsStream("/golden/config/" + name)) {
      return read(new String(in.readAllBytes(), StandardCharsets.UTF_8), format);
    }
  }

  private <T> T read(String text, ConfigFormat<T> format) throws IOException {
    Files.writeString(folder.resolve(format.fileName()), text);
    return new ConfigFiles(folder, Disk.real(), new HandClock()).load(format).orElseThrow();
  }

  private <T> T rewritten(ConfigFormat<T> format, T content) throws IOException {
    ConfigFiles files = new ConfigFiles(folder, Disk.real(), new HandClock());
    files.save(format, content);
    return files.load(format).orElseThrow();
  }
}
