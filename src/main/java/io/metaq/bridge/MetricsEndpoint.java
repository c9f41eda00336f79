package io.metaq.bridge;

import io.metaq.client.BrokerInfo;
import io.metaq.client.MetaqClient;
import io.metaq.model.OwnedBy;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /metrics}: Prometheus text. Figures of brokers are what they tell of themselves when they are scraped; of a broker that does not
 * answer only that it does not. The registry is made at the first scrape.
 */
@OwnedBy("BridgeVerticle")
final class MetricsEndpoint implements Endpoint {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final MetaqClient client;
  private final AnswerCounts answers;
  private final IncomingBytes incoming;
  private final Map<BrokerMetric, MultiGauge> brokerGauges = new EnumMap<>(BrokerMetric.class);
  private PrometheusMeterRegistry registry;

  MetricsEndpoint(MetaqClient client, AnswerCounts answers, IncomingBytes incoming) {
    this.client = client;
    this.answers = answers;
    this.incoming = incoming;
  }

  @Override
  public Future<Answer> serve(Call call) {
    return Unis.list(client.admin().brokers()).otherwise(List.of()).map(brokers -> {
      if (registry == null) {
        registry = makeRegistry();
      }
      brokerGauges.forEach((metric, gauge) -> gauge.register(rows(metric, brokers), true));
      return Answer.of(TEXT, Buffer.buffer(registry.scrape()));
    });
  }

  private PrometheusMeterRegistry makeRegistry() {
    PrometheusMeterRegistry made = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(made);
    new JvmThreadMetrics().bindTo(made);
    new ClassLoaderMetrics().bindTo(made);
    new ProcessorMetrics().bindTo(made);
    new UptimeMetrics().bindTo(made);
    for (AnswerCounts.Kind kind : AnswerCounts.Kind.values()) {
      FunctionCounter.builder("metaq.http.answers", answers, counts -> counts.of(kind))
          .description("Answers over HTTP, streams left out").tag("status", kind.label()).register(made);
    }
    Gauge.builder("metaq.http.incoming.bytes", incoming, IncomingBytes::held)
        .description("Bytes in hand of what connections send").register(made);
    Gauge.builder("metaq.http.incoming.bound.bytes", incoming, IncomingBytes::bound)
        .description("The most bytes that may be in hand of what connections send").register(made);
    for (BrokerMetric metric : BrokerMetric.values()) {
      brokerGauges.put(metric, MultiGauge.builder(metric.metric()).description(metric.description()).register(made));
    }
    return made;
  }

  private static List<MultiGauge.Row<?>> rows(BrokerMetric metric, List<BrokerInfo> brokers) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (BrokerInfo broker : brokers) {
      Tags tags = Tags.of("cluster", broker.cluster(), "broker", broker.name(), "id", Long.toString(broker.id()));
      metric.value(new BrokerView(broker, brokers)).ifPresent(value -> rows.add(MultiGauge.Row.of(tags, value)));
    }
    return rows;
  }
}
