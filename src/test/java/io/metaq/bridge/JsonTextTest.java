package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.Message;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON of requests, and the values in it that are kept as they came. */
class JsonTextTest {
  private static final String DEEP = "the JSON is nested deeper than 1000 objects and arrays";

  @ParameterizedTest
  @ValueSource(strings = {"12345678901234567890.12", "1.10", "1e999", "-0", "null", "true", "\"\"", "\"a\\u00e9\\\"b\u00fc\u20ac\"", "[]",
      "{ \"b\" : 1.50 , \"a\" : [ 1, {\"json\":2.0} ] }"})
  void shouldKeepTheTextOfAValue(String value) {
    Message first = message("{\"json\": " + value + " }");
    Message last = message("{\"properties\":{\"json\":\"p\"},\"tag\":\"" + "t".repeat(30_000) + "\",\"json\":" + value + "}");
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

    assertThatThrownBy(() -> JsonReader.parse(deep)).isInstanceOf(BridgeException.class).hasMessage(DEEP);
    assertThatThrownBy(() -> JsonReader.parse(deep.replace("json", "body"))).isInstanceOf(BridgeException.class).hasMessage(DEEP);
    assertThat(message("{\"json\":" + "[".repeat(999) + "]".repeat(999) + "}").body()).hasSize(2 * 999);
  }

  @Test
  void shouldTakeTextsOfAnyLength() {
    String bytes = "A".repeat(24_000_000);
    String digits = "1".repeat(2_000_000);
    String name = "n".repeat(100_000);

    assertThat(message("{\"bodyBase64\":\"" + bytes + "\"}").body()).hasSize(18_000_000);
    assertThat(message("{\"json\":[" + digits + ",{\"" + name + "\":" + digits + ".5}]}").body()).hasSize(4_100_010);
    assertThatThrownBy(() -> JsonReader.parse("{\"delayMs\":" + digits + "}").number("delayMs")).hasMessageContaining("a whole number");
    assertThatThrownBy(() -> message("{\"body\":" + digits + "}")).hasMessage("'body' must be a string");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "{\"delayMs\":NaN}   | the text is no JSON: it breaks the rules at line 1, column 15",
    "{\"json\":Infinity} | the text is no JSON: it breaks the rules at line 1, column 17",
    "{\"a\" 1}           | the text is no JSON: it breaks the rules at line 1, column 6",
    "{\"a\":[1           | the text is no JSON: it ends before its object does"})
  void shouldSayInItsOwnWordsWhereTheTextIsNone(String text, String words) {
    assertThatThrownBy(() -> JsonReader.parse(text)).isInstanceOf(BridgeException.class).hasMessage(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"body\":\"\\ud800\"}", "{\"body\":\"x\",\"tag\":\"a\\udc00b\"}",
      "{\"body\":\"x\",\"keys\":[\"\\ud800\\ud800\"]}",
      "{\"body\":\"x\",\"properties\":{\"a\":\"\\ude00\\ud83d\"}}", "{\"body\":\"x\",\"properties\":{\"\\ud83d\":\"a\"}}",
      "{\"body\":\"x\",\"orderKey\":\"\\ud83d\"}"})
  void shouldRefuseHalvesOfCharacters(String json) {
    assertThatThrownBy(() -> message(json)).isInstanceOf(BridgeException.class).hasMessageContaining("half of a character (\\u");
  }

  @Test
  void shouldTakeCharactersThatAreWrittenAsTwoHalves() {
    assertThat(message("{\"body\":\"\\ud83d\\ude00\"}").text()).isEqualTo("\ud83d\ude00");
    assertThat(message("{\"json\":\"\\ud83d\"}").text()).as("the text as it stands").isEqualTo("\"\\ud83d\"");
  }

  private static Message message(String json) {
    return SendJson.message("T", JsonReader.parse(json));
  }
}
