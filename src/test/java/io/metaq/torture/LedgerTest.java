package io.metaq.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final Place FIRST = new Place("topic", 0, 0);
  private static final Place SECOND = new Place("topic", 0, 1);

  private final Ledger ledger = new Ledger();

  @Test
  void shouldFindNoFaultWhenAllIsThere() {
    acknowledge(FIRST, 1);
    ledger.promise();

    ledger.compare(Map.of(FIRST, Payload.of(1)));

    assertThat(ledger.acknowledged()).isOne();
    assertThat(ledger.lost()).isZero();
    assertThat(ledger.faults()).isEmpty();
  }

  @Test
  void shouldCountAPromisedMessageThatIsMissing() {
    acknowledge(FIRST, 1);
    ledger.promise(FIRST);

    ledger.compare(Map.of());

    assertThat(ledger.lost()).isOne();
    assertThat(ledger.faults()).singleElement().asString().contains("message 1 is lost").contains("topic/0 offset 0");
  }

  @Test
  void shouldCountAMessageAtAnotherPlaceAsLost() {
    acknowledge(FIRST, 1);
    ledger.promise();

    ledger.compare(Map.of(SECOND, Payload.of(1)));

    assertThat(ledger.lost()).isOne();
  }

  @Test
  void shouldCountALossWithoutFaultWhenNothingWasPromised() {
    acknowledge(FIRST, 1);

    ledger.compare(Map.of());

    assertThat(ledger.lost()).isZero();
    assertThat(ledger.lostUnpromised()).isOne();
    assertThat(ledger.faults()).isEmpty();
  }

  @Test
  void shouldPromiseWhatARestartHasShown() {
    ledger.sent(1);

    ledger.compare(Map.of(FIRST, Payload.of(1)));
    ledger.compare(Map.of());

    assertThat(ledger.acknowledged()).isOne();
    assertThat(ledger.lost()).isOne();
  }

  @Test
  void shouldCountAMessageThatWasSentAgainAndStoredTwice() {
    acknowledge(SECOND, 1);
    ledger.promise();

    ledger.compare(Map.of(FIRST, Payload.of(1), SECOND, Payload.of(1)));

    assertThat(ledger.duplicates()).isOne();
    assertThat(ledger.lost()).isZero();
  }

  @Test
  void shouldFindFaultWithBytesThatWereNeverSent() {
    ledger.sent(1);
    byte[] torn = Payload.of(1);
    torn[torn.length - 1]++;

    ledger.compare(Map.of(FIRST, torn, SECOND, Payload.of(2)));

    assertThat(ledger.faults()).hasSize(2).allMatch(fault -> fault.contains("never sent"));
  }

  private void acknowledge(Place place, long number) {
    ledger.sent(number);
    ledger.acknowledged(place, number);
  }
}
