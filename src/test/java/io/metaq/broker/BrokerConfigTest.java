package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerConfigTest {
  private final BrokerConfigHandler handler =
      new BrokerConfigHandler(new FixedConfig(Map.of("storePathRootDir", "/data", "brokerPermission", "6", "authKey", "***")));

  @Test
  void shouldShowEverySettingAsPropertiesText() {
    RemotingCommand answer = ask(RequestCode.GET_BROKER_CONFIG, "");

    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("authKey=***\nbrokerPermission=6\nstorePathRootDir=/data\n");
    assertThat(answer.requireText("version")).startsWith("{\"counter\":");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      storePathRootDir=/elsewhere | 16 | 'storePathRootDir' cannot be changed while the broker runs
      brokerPermission=4 | 16 | 'brokerPermission' cannot be changed while the broker runs
      nothing=1 | 29 | there is no setting 'nothing'
      '' | 1 | the body is not properties text
      a=\\uZZ | 1 | the body is not properties text
      """)
  void shouldChangeNothing(String body, int code, String sentence) {
    RemotingCommand answer = ask(RequestCode.UPDATE_BROKER_CONFIG, body);

    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.remark()).contains(sentence);
  }

  @Test
  void shouldAgreeToWhatItHasAlready() {
    assertThat(ask(RequestCode.UPDATE_BROKER_CONFIG, "brokerPermission=6\n").code()).isZero();
  }

  private RemotingCommand ask(RequestCode code, String body) {
    return handler.answer(null, RemotingCommand.request(code).body(body.getBytes(StandardCharsets.UTF_8))).result();
  }
}
