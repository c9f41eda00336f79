package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.Message;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON of requests, and the values in it that are kept as they came. */
class JsonTextTest {
  @ParameterizedTest
  @ValueSource(strings = {"12345678901234567890.12", "1.10", "1e999", "-0", "null", "true", "\"\"", "\"a\\u00e9\\\"b\u00fc\u20ac\"", "[]",
      "{ \"b\" : 1.50 , \"a\" : [ 1, {\"json\":2.0} ] }"})
  void shouldKeepTheTextOfAValue(String value) {
    Message first = message("{\"json\": " + value + " }");
    Message last = message("{\"properties\":{\"json\":\"p\"},\"tag\":\"" + "t".repeat(50_000) + "\",\"json\":" + value + "}");
    JsonReader batch = JsonReader.parse("{\"messages\":[{\"json\":" + value + "},{\"json\":\n" + value + "\n}]}");

    assertThat(first.text()).isEqualTo(value);
    assertThat(last.text()).isEqualTo(value);
    assertThat(last.property("json")).hasValue("p");
    assertThat(batch.objects("messages")).allSatisfy(each -> assertThat(SendJson.message("T", each).text()).isEqualTo(value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "1", "[]", "null", "{", "{\"a\":", "{\"a\":1", "{\"a\" 1}", "{\"json\":}", "{\"json\":[1}", "{\"json\":\"x}",
      "{} {}", "{}x", "{'a':1}", "{\"a\":01}", "{\"a\":nul}", "{\"a\":/* */1}"})
  void shouldRefuseWhatIsNoObject(String text) {
    assertThatThrownBy(() -> JsonReader.parse(text)).isInstanceOf(BridgeException.class).hasMessageContaining("the text is no JSON");
    assertThatThrownBy(() -> JsonReader.parse(Buffer.buffer(text))).isInstanceOf(BridgeException.class);
  }

  @Test
  void shouldReadUtf8AndNothingElse() {
    byte[] latin = "{\"body\":\"\u00fc\"}".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(JsonReader.parse(Buffer.buffer("\ufeff{\"body\":\"\u00fc\"}")).requiredText("body")).isEqualTo("\u00fc");
    assertThatThrownBy(() -> JsonReader.parse(Buffer.buffer(latin))).isInstanceOf(BridgeException.class).hasMessageContaining("UTF-8");
  }

  @Test
  void shouldRefuseNestingWithoutAnEnd() {
    String deep = "{\"json\":" + "[".repeat(100_000);

    assertThatThrownBy(() -> JsonReader.parse(deep)).isInstanceOf(BridgeException.class);
    assertThatThrownBy(() -> JsonReader.parse(deep.replace("json", "body"))).isInstanceOf(BridgeException.class);
  }

  private static Message message(String json) {
    return SendJson.message("T", JsonReader.parse(json));
  }
}
