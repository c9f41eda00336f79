package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.coordinator.CoordinatorOptions.TopicRules;
import io.metaq.coordinator.api.TopicsProxy.FromTemplate;
import io.metaq.coordinator.api.TopicsProxy.Plain;
import io.metaq.model.DataVersion;
import io.metaq.model.TopicConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicTableTest {
  private final HandClock clock = new HandClock();
  private final TopicTable table = tableOf(TopicRules.defaults("c1", "b1"), Optional.empty());

  @Test
  void shouldBecomeACopyOfTheMastersTable() {
    table.addSystemTopics();
    DataVersion version = new DataVersion(0, 5, 77);
    TopicsFile master =
        new TopicsFile(version, List.of(TopicConfig.of("T", 4, 6), TopicConfig.of("no name", 1, 6)), Map.of("mappingDataVersion", "{}"));

    assertThat(table.follow(master)).isTrue();

    assertThat(table.snapshot().changed()).containsExactly(TopicConfig.of("T", 4, 6));
    assertThat(table.file()).isEqualTo(new TopicsFile(version, List.of(TopicConfig.of("T", 4, 6)), Map.of("mappingDataVersion", "{}")));
    assertThat(table.follow(master)).as("changed a second time").isFalse();
  }

  @Test
  void shouldMakeTheSystemTopicsAtTheFirstStart() {
    table.addSystemTopics();

    assertThat(table.snapshot().changed())
        .containsExactlyInAnyOrder(
            TopicConfig.of("SELF_TEST_TOPIC", 1, 6),
            TopicConfig.of("TBW102", 8, 7),
            TopicConfig.of("BenchmarkTest", 1024, 6),
            TopicConfig.of("c1", 16, 7),
            TopicConfig.of("b1", 1, 7),
            TopicConfig.of("OFFSET_MOVED_EVENT", 1, 6),
            TopicConfig.of("SCHEDULE_TOPIC_XXXX", 18, 6),
            TopicConfig.of("c1_REPLY_TOPIC", 1, 6),
            TopicConfig.of("rmq_sys_REVIVE_LOG_c1", 8, 6),
            TopicConfig.of("rmq_sys_SYNC_BROKER_MEMBER_b1", 1, 1),
            TopicConfig.of("RMQ_SYS_TRANS_HALF_TOPIC", 1, 6),
            TopicConfig.of("RMQ_SYS_TRANS_OP_HALF_TOPIC", 1, 6),
            TopicConfig.of("rmq_sys_wheel_timer", 1, 6));
    assertThat(table.snapshot().version()).isEqualTo(new DataVersion(0, clock.millis(), 1));
    assertThat(table.snapshot().complete()).isTrue();
  }

  @Test
  void shouldFollowTheSwitchesOfTheSystemTopics() {
    TopicTable switched = tableOf(new TopicRules("c1", "b1", false, 4, false, false, Optional.of("traces"), 2), Optional.empty());

    switched.addSystemTopics();

    assertThat(switched.find("TBW102")).isEmpty();
    assertThat(switched.find("c1")).contains(TopicConfig.of("c1", 16, 1));
    assertThat(switched.find("b1")).contains(TopicConfig.of("b1", 1, 1));
    assertThat(switched.find("traces")).contains(TopicConfig.of("traces", 1, 6));
    assertThat(switched.find("rmq_sys_REVIVE_LOG_c1")).contains(TopicConfig.of("rmq_sys_REVIVE_LOG_c1", 2, 6));
  }

  @Test
  void shouldKeepWhatTheFileSaysAboutASystemTopic() {
    TopicConfig changed = TopicConfig.of("TBW102", 3, 7);
    TopicTable loaded = tableOf(TopicRules.defaults("c1", "b1"), Optional.of(file(changed)));

    assertThat(loaded.addSystemTopics()).isTrue();
    assertThat(loaded.addSystemTopics()).isFalse();
    assertThat(loaded.find("TBW102")).contains(changed);
    assertThat(loaded.snapshot().version()).isEqualTo(new DataVersion(2, clock.millis(), 10));
  }

  @Test
  void shouldLeaveOutTheTopicOfABrokerNameThatIsNoTopicName() {
    TopicTable dotted = tableOf(TopicRules.defaults("c1", "host.local"), Optional.empty());

    dotted.addSystemTopics();

    assertThat(dotted.find("host.local")).isEmpty();
    assertThat(dotted.find("c1")).isPresent();
  }

  @ParameterizedTest
  @CsvSource({"4,4", "8,8", "16,8", "1,1", "0,1", "-5,1"})
  void shouldGiveANewTopicAtMostTheQueuesOfItsTemplate(int wished, int made) {
    table.addSystemTopics();

    assertThat(table.create(new FromTemplate("orders", "TBW102", wished, "r"))).contains(TopicConfig.of("orders", made, 6));
    assertThat(table.find("orders")).contains(TopicConfig.of("orders", made, 6));
    assertThat(table.snapshot().version().counter()).isEqualTo(2);
  }

  @Test
  void shouldCopyAnotherTemplateThatPermitsItEvenWithAutomaticCreationOff() {
    TopicTable manual = tableOf(new TopicRules("c1", "b1", false, 8, true, true, Optional.empty(), 8), Optional.empty());
    manual.addSystemTopics();

    assertThat(manual.create(new FromTemplate("orders", "c1", 4, "r"))).contains(TopicConfig.of("orders", 4, 6));
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "SELF_TEST_TOPIC", ""})
  void shouldRefuseATemplateThatDoesNotExistOrPermitCopies(String template) {
    table.addSystemTopics();

    assertThat(table.create(new FromTemplate("orders", template, 4, "r"))).isEmpty();
    assertThat(table.find("orders")).isEmpty();
    assertThat(table.snapshot().version().counter()).isEqualTo(1);
  }

  @Test
  void shouldRefuseATemplateTopicLeftOverInTheFileWhenAutomaticCreationIsOff() {
    TopicTable manual =
        tableOf(
            new TopicRules("c1", "b1", false, 8, true, true, Optional.empty(), 8),
            Optional.of(file(TopicConfig.of("TBW102", 8, 7))));

    assertThat(manual.create(new FromTemplate("orders", "TBW102", 4, "r"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../x", "a b", "a/b", "a.b", "ä"})
  void shouldMakeNothingUnderABadName(String name) {
    table.addSystemTopics();
    int before = table.snapshot().changed().size();

    assertThat(table.create(new FromTemplate(name, "TBW102", 4, "r"))).isEmpty();
    assertThat(table.create(new Plain(TopicConfig.of(name, 1, 6)))).isEmpty();

    assertThat(table.snapshot().changed()).hasSize(before);
    assertThat(table.snapshot().version().counter()).isEqualTo(1);
  }

  @Test
  void shouldTakeATopicNameUpToItsLimit() {
    table.addSystemTopics();

    assertThat(table.create(new FromTemplate("t".repeat(127), "TBW102", 4, "r"))).isPresent();
    assertThat(table.create(new FromTemplate("t".repeat(128), "TBW102", 4, "r"))).isEmpty();
  }

  @Test
  void shouldLeaveOutABadNameFromTheFile() {
    TopicTable loaded =
        tableOf(TopicRules.defaults("c1", "b1"), Optional.of(file(TopicConfig.of("../x", 1, 6), TopicConfig.of("good", 1, 6))));

    assertThat(loaded.file().topics()).containsExactly(TopicConfig.of("good", 1, 6));
  }

  @Test
  void shouldWriteBackWhatItDoesNotUnderstand() {
    TopicTable loaded = tableOf(TopicRules.defaults("c1", "b1"), Optional.of(file()));

    assertThat(loaded.file().others()).isEqualTo(Map.of("later", "{}"));
  }

  private TopicTable tableOf(TopicRules rules, Optional<TopicsFile> stored) {
    return new TopicTable(rules, clock, stored);
  }

  private static TopicsFile file(TopicConfig... topics) {
    return new TopicsFile(new DataVersion(2, 1, 9), List.of(topics), Map.of("later", "{}"));
  }
}
