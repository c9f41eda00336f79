package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.BrokerInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BrokerViewTest {
  @Test
  void shouldTellTheFirstOfSeveralRates() {
    assertThat(rate("12.5 11 10")).contains(12.5);
  }

  @Test
  void shouldKnowNoRateWhereABrokerTellsABlank() {
    assertThat(rate(" ")).isEmpty();
    assertThat(rate("")).isEmpty();
    assertThat(rate("NaN 1 1")).isEmpty();
  }

  private static Optional<Double> rate(String told) {
    BrokerInfo broker = new BrokerInfo("c", "b", 0, "127.0.0.1:1", Optional.empty(), Map.of("putTps", told));
    return new BrokerView(broker, List.of(broker)).rate("putTps");
  }
}
