package io.metaq.bridge;

import io.metaq.client.BrokerInfo;
import io.metaq.client.MetaqClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code /health/live} and {@code /health/ready}: the process answers; the cluster behind it answers. */
final class HealthEndpoints {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final int LIMIT_S = 3;

  private final MetaqClient client;
  private final boolean needsBrokers;

  /** @param needsBrokers whether there must be a broker that answers */
  HealthEndpoints(MetaqClient client, boolean needsBrokers) {
    this.client = client;
    this.needsBrokers = needsBrokers;
  }

  Future<Answer> live(Call call) {
    return Future.succeededFuture(Answer.ok(new JsonObject().put("status", "UP")));
  }

  /** Ready when a name server answers and, where that is needed, at least one broker it names does. */
  Future<Answer> ready(Call call) {
    return Unis.list(client.admin().brokers()).timeout(LIMIT_S, TimeUnit.SECONDS)
        .map(this::answer)
        .otherwise(failure -> down(String.valueOf(failure.getMessage())));
  }

  private Answer answer(List<BrokerInfo> brokers) {
    long answering = brokers.stream().filter(broker -> broker.fault().isEmpty()).count();
    if (answering == 0 && needsBrokers) {
      return down(brokers.isEmpty() ? "no broker is registered" : "none of the registered brokers answers");
    }
    return Answer.json(OK, new JsonObject()
        .put("status", "UP").put("brokers", brokers.size()).put("answering", answering).toBuffer());
  }

  private static Answer down(String reason) {
    return Answer.json(UNAVAILABLE, new JsonObject().put("status", "DOWN").put("reason", reason).toBuffer());
  }
}
