package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.HandClock;
import io.metaq.coordinator.CoordinatorOptions.GroupRules;
import io.metaq.model.DataVersion;
import io.metaq.model.GroupConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupTableTest {
  private final HandClock clock = new HandClock();
  private final GroupTable table = new GroupTable(GroupRules.defaults(), clock, Optional.empty());

  @Test
  void shouldBecomeACopyOfTheMastersTable() {
    GroupTable table = new GroupTable(CoordinatorRig.groupRules(), new HandClock(), Optional.empty());
    table.addSystemGroups();
    DataVersion version = new DataVersion(0, 5, 77);
    GroupsFile master = new GroupsFile(version, List.of(GroupConfig.of("g"), GroupConfig.of("no name")), Map.of("g", Map.of("t", 4)), Map.of("new", "{}"));

    assertThat(table.follow(master)).isTrue();

    assertThat(table.all()).containsExactly(GroupConfig.of("g"));
    assertThat(table.file()).isEqualTo(new GroupsFile(version, List.of(GroupConfig.of("g")), Map.of("g", Map.of("t", 4)), Map.of("new", "{}")));
    assertThat(table.follow(master)).as("changed a second time").isFalse();
  }

  @Test
  void shouldMakeTheSystemGroupsAtTheFirstStart() {
    assertThat(table.addSystemGroups()).isTrue();

    assertThat(table.all())
        .extracting(GroupConfig::name)
        .containsExactlyInAnyOrder(
            "TOOLS_CONSUMER", "FILTERSRV_CONSUMER", "SELF_TEST_C_GROUP", "CID_ONS-HTTP-PROXY", "CID_ONSAPI_PULL",
            "CID_ONSAPI_PERMISSION", "CID_ONSAPI_OWNER", "CID_RMQ_SYS_TRANS");
    assertThat(table.file().version()).isEqualTo(new DataVersion(0, clock.millis(), 1));
    assertThat(table.addSystemGroups()).isFalse();
  }

  /** It looked like this: the file had {@code +priority.factor}, and the next update without attributes emptied them. */
  @Test
  void shouldChangeAttributesByTheirSignsAndKeepTheOthers() {
    table.update(GroupConfig.of("g").withAttributes(Map.of("+priority.factor", "50", "+lite.sub.model", "Shared")));
    table.update(GroupConfig.of("g"));
    table.update(GroupConfig.of("g").withAttributes(Map.of("+priority.factor", "100", "-lite.sub.model", "")));

    assertThat(table.find("g").orElseThrow().attributes()).containsExactly(Map.entry("priority.factor", "100"));
  }

  @Test
  void shouldRefuseAttributesThatAreNotOfGroups() {
    table.update(GroupConfig.of("g").withAttributes(Map.of("+priority.factor", "0")));

    for (Map<String, String> wrong : List.of(Map.of("+priority.factor", "101"), Map.of("+priority.factor", "x"), Map.of("+other", "1"),
        Map.of("priority.factor", "1"), Map.of("-lite.sub.model", ""), Map.of("+priority.factor", "1", "-priority.factor", ""))) {
      assertThatThrownBy(() -> table.update(GroupConfig.of("g").withAttributes(wrong))).as(wrong.toString())
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("attribute");
    }
    assertThatThrownBy(() -> table.update(GroupConfig.of("new").withAttributes(Map.of("-priority.factor", ""))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(table.find("g").orElseThrow().attributes()).containsExactly(Map.entry("priority.factor", "0"));
    assertThat(table.find("new")).isEmpty();
  }

  @Test
  void shouldMakeAGroupWithEveryDefault() {
    assertThat(table.create("g")).contains(GroupConfig.of("g"));

    assertThat(table.find("g")).contains(GroupConfig.of("g"));
    assertThat(table.file().version().counter()).isEqualTo(1);
  }

  @Test
  void shouldMakeOnlySystemGroupsWhenAutomaticCreationIsOff() {
    GroupTable manual = new GroupTable(new GroupRules(false, true, 120_000, 10_000, ConflictRule.HOLD), clock, Optional.empty());

    assertThat(manual.create("g")).isEmpty();
    assertThat(manual.create("CID_RMQ_SYS_x")).isPresent();
    assertThat(manual.find("g")).isEmpty();
  }

  @Test
  void shouldForbidAGroupATopicAndPermitItAgain() {
    assertThat(table.forbid("g", "t", false)).isTrue();
    assertThat(table.forbid("g", "t", false)).isFalse();
    assertThat(table.forbiddenTopics("g")).containsExactly("t");
    assertThat(table.file().forbidden()).isEqualTo(Map.of("g", Map.of("t", 4)));
    assertThat(table.file().version().counter()).isEqualTo(1);

    assertThat(table.forbid("g", "t", true)).isTrue();

    assertThat(table.forbiddenTopics("g")).isEmpty();
    assertThat(table.file().forbidden()).isEmpty();
  }

  @Test
  void shouldKeepOtherBitsThanThatOfReading() {
    GroupTable loaded = new GroupTable(GroupRules.defaults(), clock,
        Optional.of(new GroupsFile(DataVersion.INITIAL, List.of(), Map.of("g", Map.of("t", 2)), Map.of())));
    assertThat(loaded.forbiddenTopics("g")).isEmpty();

    loaded.forbid("g", "t", false);

    assertThat(loaded.file().forbidden()).isEqualTo(Map.of("g", Map.of("t", 6)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../x", "a b", "a@b"})
  void shouldMakeNothingUnderABadName(String name) {
    assertThat(table.create(name)).isEmpty();

    assertThat(table.all()).isEmpty();
    assertThat(table.file().version()).isEqualTo(DataVersion.INITIAL);
  }

  @Test
  void shouldTakeAGroupNameUpToItsLimit() {
    assertThat(table.create("g".repeat(120))).isPresent();
    assertThat(table.create("g".repeat(121))).isEmpty();
  }

  @Test
  void shouldKeepWhatTheFileSaysAboutASystemGroup() {
    GroupConfig stored =
        new GroupConfig("TOOLS_CONSUMER", false, true, true, false, 1, 16, 0, 1, true, 0, 15, "{}", Map.of());
    GroupTable loaded =
        new GroupTable(
            GroupRules.defaults(),
            clock,
            Optional.of(new GroupsFile(new DataVersion(0, 1, 5), List.of(stored), Map.of("a", Map.of("t", 6)), Map.of("new", "{\"a\":{}}"))));

    loaded.addSystemGroups();

    assertThat(loaded.find("TOOLS_CONSUMER")).contains(stored);
    assertThat(loaded.file().version().counter()).isEqualTo(6);
    assertThat(loaded.file().forbidden()).isEqualTo(Map.of("a", Map.of("t", 6)));
    assertThat(loaded.file().others()).isEqualTo(Map.of("new", "{\"a\":{}}"));
  }
}
