package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.BrokerInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What Prometheus sees. */
@Timeout(120)
class MetricsTest {
  private static final Path DOCUMENT = Path.of("docs/metrics.md");

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

  /** Every name that is scraped, by itself or as one of its family, and every name of the document. */
  @Test
  void shouldHaveTheMetricsOfItsDocumentAndNoOthers() throws Exception {
    Set<String> documented = names("(?m)^\\| `(metaq_\\w+)` \\|", Files.readString(DOCUMENT));
    // Told of slaves only, and there is none here.
    documented.remove(BrokerMetric.LAG.exposed());
    List<String> families = List.copyOf(names("`((?:jvm|process|system)_[a-z]+)", Files.readString(DOCUMENT)).stream()
        .map(name -> name.substring(0, name.indexOf('_') + 1)).distinct().toList());

    Set<String> scraped = names("(?m)^# TYPE (\\w+) ", new Http(SERVER.httpPort()).get("/metrics").text());

    assertThat(scraped.stream().filter(name -> name.startsWith("metaq_"))).containsExactlyInAnyOrderElementsOf(documented);
    assertThat(scraped.stream().filter(name -> !name.startsWith("metaq_")))
        .allMatch(name -> families.stream().anyMatch(name::startsWith)).isNotEmpty();
  }

  private static Set<String> names(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1)).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void shouldBeDescribedMetricByMetric() throws Exception {
    String document = Files.readString(DOCUMENT);

    for (BrokerMetric metric : BrokerMetric.values()) {
      assertThat(document).contains("| `" + metric.exposed() + "` | " + metric.description() + " |");
    }
    assertThat(document).contains("metaq_http_answers_total");
  }
}
