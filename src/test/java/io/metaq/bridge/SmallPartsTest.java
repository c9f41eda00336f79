package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.HandClock;
import io.metaq.client.Message;
import io.metaq.client.TopicQueue;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Positions, numbers, times, names and room, one by one. */
class SmallPartsTest {
  private static final TopicQueue FIRST = new TopicQueue("T", "a", 0);
  private static final TopicQueue SECOND = new TopicQueue("T", "b\u00fc", 7);

  @Test
  void shouldReadBackAPositionThatItGaveOut() {
    ReadPosition position = ReadPosition.of("T", Map.of(FIRST, 5L, SECOND, 1L << 50));
    position.passed(FIRST, 9);
    position.passed(new TopicQueue("%RETRY%g", "a", 0), 100);

    assertThat(position.text()).matches("[A-Za-z0-9_-]+");
    assertThat(ReadPosition.parse("T", position.text()).offsets()).isEqualTo(Map.of(FIRST, 10L, SECOND, 1L << 50));
  }

  @Test
  void shouldHoldOffsetsOfAPositionThatNobodyGaveOutWithinWhatCanBeAdded() {
    String text = ReadPosition.of("T", Map.of(FIRST, Long.MIN_VALUE, SECOND, Long.MAX_VALUE)).text();

    assertThat(ReadPosition.parse("T", text).offsets()).isEqualTo(Map.of(FIRST, 0L, SECOND, 1L << 50));
  }

  @Test
  void shouldRefuseAPositionOfAnotherTopicAndEveryFlippedBit() {
    String text = ReadPosition.of("T", Map.of(FIRST, 5L)).text();

    assertThatThrownBy(() -> ReadPosition.parse("U", text)).isInstanceOf(BridgeException.class).hasMessageContaining("another topic");
    for (int i = 0; i < text.length() - 1; i++) {
      String flipped = text.substring(0, i) + (text.charAt(i) == 'A' ? 'B' : 'A') + text.substring(i + 1);
      assertThatThrownBy(() -> ReadPosition.parse("T", flipped)).as(flipped).isInstanceOf(BridgeException.class);
    }
  }

  @Test
  void shouldHoldAPositionBeforeTheEndOfEachQueueAndTellHowFarThatIs() {
    ReadPosition position = ReadPosition.of("T", Map.of(FIRST, 1_000L, SECOND, 3L));

    ReadPosition inside = position.within(Map.of(FIRST, 10L, SECOND, 7L, new TopicQueue("T", "c", 0), 5L));

    assertThat(inside.offsets()).isEqualTo(Map.of(FIRST, 10L, SECOND, 3L));
    assertThat(inside.distance(Map.of(FIRST, 12L, SECOND, 2L, new TopicQueue("T", "c", 0), 5L))).isEqualTo(2 + 5);
  }

  @Test
  void shouldMaskSecretsThatABrokerDoesNotMask() {
    Map<String, String> settings = Map.of("innerClientAuthenticationCredentials", "{\"secretKey\":\"s\"}",
        "initAuthenticationUser", "u", "metricsGrpcExporterHeader", "bearer:s", "brokerName", "a", "adminPassword", "");

    assertThat(SettingsEndpoints.shown(settings).getMap()).isEqualTo(Map.of("innerClientAuthenticationCredentials", "***",
        "initAuthenticationUser", "***", "metricsGrpcExporterHeader", "***", "brokerName", "a", "adminPassword", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "AAAAAAAA", "%%%", "AQ", "\u00fc"})
  void shouldRefuseTextsThatAreNoPosition(String text) {
    assertThatThrownBy(() -> ReadPosition.parse("T", text)).isInstanceOf(BridgeException.class);
    assertThatThrownBy(() -> ReadPosition.parse("T", "A".repeat(100_000))).isInstanceOf(BridgeException.class);
  }

  @Test
  void shouldWriteNumbersAsDigitsWhereABrowserWouldRoundThem() {
    assertThat(JsonValues.number(1L << 53)).isEqualTo(9007199254740992L);
    assertThat(JsonValues.number((1L << 53) + 1)).isEqualTo("9007199254740993");
    assertThat(JsonValues.number(-(1L << 53) - 1)).isEqualTo("-9007199254740993");
    assertThat(JsonReader.wholeNumber("n", "9007199254740993")).isEqualTo(9007199254740993L);
    assertThat(JsonValues.time(1_769_860_800_007L)).isEqualTo("2026-01-31T12:00:00.007Z");
    assertThat(JsonValues.timeOrNull(0)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"15s, 15000", "500ms, 500", "2m, 120000", "1h, 3600000", "7, 7000", "0, 0"})
  void shouldReadTimeSpans(String text, long ms) {
    assertThat(Durations.duration(text)).hasValue(Duration.ofMillis(ms));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "-1s", "1.5s", "15 s", "1d", "9999999999s"})
  void shouldReadNoTimeSpanIntoOtherTexts(String text) {
    assertThat(Durations.duration(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:8080, localhost, 8080", "MQ.example, mq.example, -1", "[::1]:80, [::1], -1", "10.0.0.1:443, 10.0.0.1, -1"})
  void shouldReadHostAndPort(String text, String host, int port) {
    assertThat(Authority.of(text)).hasValue(new Authority(host, port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", "user@a", "a:b", "a:123456", "[::1", "a\r\nb"})
  void shouldReadNoHostIntoOtherTexts(String text) {
    assertThat(Authority.of(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"localhost, true", "app.localhost, true", "127.0.0.1, true", "[::1], true", "localhost.evil.example, false",
      "127.evil.example, false", "10.0.0.1, false"})
  void shouldKnowTheNamesOfThisMachine(String host, boolean local) {
    assertThat(new Authority(host, -1).isLocal()).isEqualTo(local);
  }

  @Test
  void shouldMakeTextsFitForASentence() {
    assertThat(Text.printable("a\r\nSet-Cookie: b\u0000\u2028c")).isEqualTo("a??Set-Cookie: b??c");
    assertThat(Text.printable("x".repeat(200))).hasSize(83).endsWith("...");
  }

  @Test
  void shouldHaveRoomForCreditAndOnlyAsMuchAsTheNetworkTakes() {
    Room room = new Room(0);
    assertThat(room.free()).isZero();

    room.add(100);
    assertThat(room.free()).isEqualTo(16);
    room.writing(300_000);
    assertThat(room.free()).isZero();
    room.written(300_000);
    assertThat(room.free()).as("the next may be as large").isEqualTo(1);
    for (int i = 0; i < 99; i++) {
      room.writing(1);
      room.written(1);
    }
    assertThat(room.free()).isZero();
    room.add(3);
    assertThat(room.free()).isEqualTo(3);
  }

  @Test
  void shouldTakeFewLargeMessagesAtATimeAndManyAgainWhenTheyAreSmall() {
    Room room = new Room(1_000);
    room.writing(100_000);
    assertThat(room.free()).isEqualTo(1);
    room.written(100_000);
    assertThat(room.free()).isEqualTo(2);

    for (int i = 0; i < 64; i++) {
      room.writing(1_000);
      room.written(1_000);
    }

    assertThat(room.free()).isEqualTo(16);
  }

  @Test
  void shouldReadHeadersAsUtf8WhereTheyAre() {
    String utf8 = new String("gr\u00fcn \u20ac".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("MQ-Tag", utf8).add("MQ-Property-Colour", utf8).add("MQ-Keys", "\u00fc");

    Message message = RawSend.message("T", Buffer.buffer("x"), headers);

    assertThat(message.tag()).hasValue("gr\u00fcn \u20ac");
    assertThat(message.property("Colour")).hasValue("gr\u00fcn \u20ac");
    assertThat(message.keys()).as("Latin-1 as it is").containsExactly("\u00fc");
  }

  @ParameterizedTest
  @CsvSource({"2026-01-31T12:00:00+01:00, 2026-01-31T11:00:00Z", "1969-12-31T00:00:00Z, 1969-12-31T00:00:00Z"})
  void shouldReadMomentsWithTheirZone(String text, Instant moment) {
    assertThat(Durations.moment(text)).hasValue(moment);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "now", "2026-01-31", "2026-01-31T12:00:00", "+999999999-01-01T00:00:00Z", "-999999999-01-01T00:00:00Z"})
  void shouldReadNoMomentIntoOtherTexts(String text) {
    assertThat(Durations.moment(text)).isEmpty();
  }

  @Test
  void shouldTellHowFastATopicGrowsFromTheSecondLookOn() {
    HandClock clock = new HandClock();
    TopicRates rates = new TopicRates(clock);

    assertThat(rates.perSecond("T", 100)).isEmpty();
    clock.advance(500);
    assertThat(rates.perSecond("T", 150)).isEmpty();
    clock.advance(1_500);
    assertThat(rates.perSecond("T", 300)).hasValue(100.0);
    clock.advance(100);
    assertThat(rates.perSecond("T", 300)).hasValue(100.0);
    clock.advance(2_000);
    assertThat(rates.perSecond("T", 200)).as("made anew").isEmpty();
  }

  @Test
  void shouldShowOnlyTheUsersOwnProperties() {
    Map<String, String> all = new HashMap<>(Map.of("UNIQ_KEY", "x", "TAGS", "a", "KEYS", "k", "mine", "1"));

    assertThat(MessageJson.own(all)).isEqualTo(Map.of("mine", "1"));
  }
}
