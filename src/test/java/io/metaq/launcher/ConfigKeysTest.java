package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigKeysTest {
  private final ConfigKeys keys = ConfigKeys.load();

  @Test
  void shouldHaveDefaultsThatPassTheirOwnCheck() {
    assertThat(keys.all()).isNotEmpty().allSatisfy(key -> key.defaultValue().ifPresent(value -> {
      assertThat(key.type().fault(key, value)).as(key.name()).isEmpty();
      assertThat(key.refusal(value)).as(key.name()).isEmpty();
    }));
  }

  @Test
  void shouldDescribeEachKeyInASentence() {
    assertThat(keys.all()).allSatisfy(key -> assertThat(key.text()).as(key.name()).matches("(?s)[A-Z0-9=].*\\."));
  }

  @Test
  void shouldGiveEachKeyAVariableOfItsOwn() {
    Set<String> variables = new HashSet<>();

    assertThat(keys.all()).allSatisfy(key -> assertThat(variables.add(key.environmentName())).as(key.name()).isTrue());
  }

  @ParameterizedTest
  @CsvSource({
    "brokerIP1,METAQ_BROKER_IP1",
    "listenPort,METAQ_LISTEN_PORT",
    "storePathRootDir,METAQ_STORE_PATH_ROOT_DIR",
    "checkCRCOnRecover,METAQ_CHECK_CRC_ON_RECOVER",
    "namesrvAddr,METAQ_NAMESRV_ADDR",
  })
  void shouldNameVariablesInUpperSnakeCase(String key, String variable) {
    assertThat(ConfigKey.environmentName(key)).isEqualTo(variable);
  }
}
