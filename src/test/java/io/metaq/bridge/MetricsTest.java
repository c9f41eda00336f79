package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.BrokerInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What Prometheus sees. */
@Timeout(120)
class MetricsTest {
  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of());

  @Test
  void shouldTellOfBrokerStoreBridgeAndJvm() throws Exception {
    Http http = new Http(SERVER.httpPort());
    http.get("/v1/nothing");
    http.get("/metrics");

    Http.Reply scraped = http.get("/metrics", "Host", "scraped.under.any.name");

    assertThat(scraped.status()).isEqualTo(200);
    assertThat(scraped.header("Content-Type")).startsWith("text/plain");
    assertThat(scraped.text())
        .containsPattern("metaq_broker_up\\{broker=\"b\",cluster=\"DefaultCluster\",id=\"0\"} 1[.]0")
        .containsPattern("metaq_broker_stored_per_second\\{[^}]*} \\d")
        .containsPattern("metaq_store_disk_used_ratio\\{[^}]*} 0[.]\\d")
        .containsPattern("metaq_http_answers_total\\{status=\"4xx\"} 1[.]0")
        .containsPattern("metaq_http_answers_total\\{status=\"2xx\"} [1-9]")
        .containsPattern("jvm_memory_used_bytes\\{[^}]*} \\d")
        .containsPattern("process_uptime_seconds \\d")
        .doesNotContain("metaq_replication_lag_bytes{");
  }

  @Test
  void shouldTellWhatASlaveHasToCopyAndLeaveOutWhatIsUnknown() {
    BrokerInfo master = new BrokerInfo("c", "b", 0, "a:1", Optional.empty(), Map.of("commitLogMaxOffset", "100"));
    BrokerInfo slave = new BrokerInfo("c", "b", 1, "a:2", Optional.empty(), Map.of("commitLogMaxOffset", "60"));
    BrokerInfo silent = new BrokerInfo("c", "b", 2, "a:3", Optional.of("no answer"), Map.of());
    List<BrokerInfo> all = List.of(master, slave, silent);

    assertThat(BrokerMetric.LAG.value(new BrokerView(slave, all))).hasValue(40.0);
    assertThat(BrokerMetric.LAG.value(new BrokerView(master, all))).isEmpty();
    assertThat(BrokerMetric.LAG.value(new BrokerView(silent, all))).isEmpty();
    assertThat(BrokerMetric.UP.value(new BrokerView(silent, all))).hasValue(0.0);
    assertThat(BrokerMetric.STORED.value(new BrokerView(silent, all))).isEmpty();
  }

  @Test
  void shouldBeDescribedMetricByMetric() throws Exception {
    String document = Files.readString(Path.of("docs/metrics.md"));

    for (BrokerMetric metric : BrokerMetric.values()) {
      assertThat(document).contains("| `" + metric.exposed() + "` | " + metric.description() + " |");
    }
    assertThat(document).contains("metaq_http_answers_total");
  }
}
