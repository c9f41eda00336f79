package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.LiveConfig;
import io.metaq.model.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveSettingsTest {
  private final List<Integer> permissions = new ArrayList<>();
  private final List<String> levels = new ArrayList<>();
  private final LiveSettings live = new LiveSettings(
      new RoomConfig(
          new SettingsReader(ConfigKeys.load(), Set.of(Component.NAMESERVER, Component.BROKER))
              .read(List.of(Source.options(Map.of("brokerName", "b")))).settings(),
          Clock.system(), new Ports(1, 2, 3, 4)),
      permissions::add, levels::add, Clock.system());

  @Test
  void shouldMakeAChangeAndShowIt() {
    List<LiveConfig.Refusal> refusals =
        live.change(Map.of("brokerPermission", "4", "longPollingEnable", "false", "defaultQueryMaxNum", "7", "logLevel", "WARN"));

    assertThat(refusals).isEmpty();
    assertThat(live.options().permission()).isEqualTo(4);
    assertThat(live.options().longPolling()).isFalse();
    assertThat(live.options().maxQueryResults()).isEqualTo(7);
    assertThat(live.shown()).containsEntry("brokerPermission", "4").containsEntry("longPollingEnable", "false");
    assertThat(live.version().counter()).isEqualTo(1);
    assertThat(permissions).containsExactly(4);
    assertThat(levels).containsExactly("WARN");
  }

  @Test
  void shouldChangeNothingWhenOneKeyIsRefusedAndNameEach() {
    List<LiveConfig.Refusal> refusals = live.change(Map.of(
        "brokerPermission", "4", "storePathRootDir", "/elsewhere", "rejectTransactionMessage", "perhaps", "longPolingEnable", "true"));

    assertThat(refusals).extracting(LiveConfig.Refusal::why).containsExactly(
        "there is no setting 'longPolingEnable'; did you mean longPollingEnable?",
        "'rejectTransactionMessage' must be true or false, not 'perhaps'",
        "'storePathRootDir' cannot be changed while the broker runs");
    assertThat(refusals).extracting(LiveConfig.Refusal::forbidden).containsExactly(false, false, true);
    assertThat(live.options().permission()).isEqualTo(6);
    assertThat(live.version().counter()).isZero();
    assertThat(permissions).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      brokerPermission                  | 8
      brokerPermission                  | x
      shortPollingTimeMills             | -1
      maxTransferCountOnMessageInMemory | 0
      defaultQueryMaxNum                | 99999999999
      logLevel                          | LOUD
      """)
  void shouldRefuseAValueThatAStartWouldRefuse(String key, String value) {
    assertThat(live.change(Map.of(key, value))).singleElement()
        .satisfies(refusal -> assertThat(refusal.why()).startsWith("'" + key + "' must be "));
  }

  @Test
  void shouldAgreeToWhatItHasAlready() {
    assertThat(live.change(Map.of("brokerName", "b", "brokerPermission", "6"))).isEmpty();
    assertThat(live.version().counter()).isZero();
  }

  @Test
  void shouldCallLiveOnlyWhatNamesNoPathNoAddressAndNoPort() {
    assertThat(ConfigKeys.load().all().stream().filter(ConfigKey::live)).isNotEmpty().allSatisfy(key -> {
      assertThat(key.honoured()).as(key.name()).isTrue();
      assertThat(key.type()).as(key.name()).isIn(ValueType.BOOLEAN, ValueType.INT, ValueType.LONG, ValueType.CHOICE);
    });
  }
}
