package io.metaq.codec.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.RecordCheck.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCheckTest {
  private static final int PHY_OFFSET = 1024;
  private static final int SIZE = 123;

  private final RecordCheck check = new RecordCheck(true);

  @Test
  void shouldAcceptKnownRecords() throws IOException {
    ByteBuffer v4 = GoldenRecords.read("v1-ipv4.hex");
    ByteBuffer v6 = GoldenRecords.read("v1-ipv6.hex");

    assertThat(check.check(v4, 0, SIZE, PHY_OFFSET)).isEqualTo(Verdict.RECORD);
    assertThat(check.size()).isEqualTo(SIZE);
    assertThat(check.check(v6, 0, 118, 0)).isEqualTo(Verdict.RECORD);
    assertThat(check.size()).isEqualTo(118);
  }

  @ParameterizedTest
  @CsvSource({"0,size", "4,magic", "12,queueId", "20,queueOffset", "28,phyOffset", "84,bodyLength", "90,body", "93,topicLength",
      "103,propertiesLength"})
  void shouldFindAFlippedBit(int place, String field) throws IOException {
    ByteBuffer record = GoldenRecords.read("v1-ipv4.hex");
    record.put(place, (byte) (record.get(place) ^ 0x80));

    assertThat(check.check(record, 0, SIZE, PHY_OFFSET)).as(field).isEqualTo(Verdict.BROKEN);
    assertThat(check.fault()).isNotEmpty();
  }

  @Test
  void shouldFindAnyFlippedBitOfLengthsPlacesAndBody() throws IOException {
    for (int place = 0; place < 36; place++) {
      for (int bit = 0; bit < 8; bit++) {
        ByteBuffer record = GoldenRecords.read("v1-ipv4.hex");
        record.put(place, (byte) (record.get(place) ^ 1 << bit));
        boolean free = place >= RecordLayout.QUEUE_ID && place < RecordLayout.PHY_OFFSET;

        Verdict verdict = check.check(record, 0, SIZE, PHY_OFFSET);

        if (!free) {
          assertThat(verdict).as("byte %d bit %d", place, bit).isEqualTo(Verdict.BROKEN);
        }
      }
    }
  }

  @Test
  void shouldNotLookAtTheBodyWhenToldSo() throws IOException {
    ByteBuffer record = GoldenRecords.read("v1-ipv4.hex");
    record.put(90, (byte) 'X');

    assertThat(new RecordCheck(false).check(record, 0, SIZE, PHY_OFFSET)).isEqualTo(Verdict.RECORD);
  }

  @Test
  void shouldNotTakeARecordOfAnotherPlaceForGood() throws IOException {
    assertThat(check.check(GoldenRecords.read("v1-ipv4.hex"), 0, SIZE, 2048)).isEqualTo(Verdict.BROKEN);
  }

  @Test
  void shouldNotTakeARecordThatReachesBeyondItsFile() throws IOException {
    assertThat(check.check(GoldenRecords.read("v1-ipv4.hex"), 0, SIZE - 1, PHY_OFFSET)).isEqualTo(Verdict.BROKEN);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 7, 8, 90, 91, 500})
  void shouldSeeThatNothingWasWritten(int length) {
    assertThat(check.check(ByteBuffer.allocate(500), 0, length, 0)).isEqualTo(Verdict.EMPTY);
  }

  @Test
  void shouldSeeTheBlankMarker() {
    ByteBuffer marker = ByteBuffer.allocate(8).putInt(0, 8).putInt(4, RecordLayout.MAGIC_BLANK);

    assertThat(check.check(marker, 0, 8, 4000)).isEqualTo(Verdict.BLANK);
  }

  @Test
  void shouldAcceptAnEmptyBodyWithoutAChecksum() {
    ByteBuffer record = ByteBuffer.allocate(92);
    byte[] topic = {'t'};
    new RecordEncoder(new byte[8]).topic(topic, 0, 1).properties(new byte[0], 0, 0).body(ByteBuffer.allocate(0))
        .born(new byte[8], 0).message(0, 0, 0, 0, 0).writeTo(record, 0);

    assertThat(check.check(record, 0, 92, 0)).isEqualTo(Verdict.RECORD);
  }
}
