package io.metaq.client;

import io.metaq.codec.client.ClientConfigBody;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Subscription;
import io.vertx.core.Future;
import java.util.List;

/**
 * Asks brokers whether they will serve a filter by SQL92 before it is relied on, as official push consumers do: one that does not would
 * refuse every pull. Filters by tag are not asked about.
 */
final class FilterCheck {
  private final Links links;
  private final String clientId;
  private final long timeoutMs;

  FilterCheck(ClientParts parts) {
    links = parts.links();
    clientId = parts.clientId();
    timeoutMs = parts.timeoutMs();
  }

  /** Fails with {@code REFUSED} when a broker of the route refuses; one that cannot be reached has no say. */
  Future<Void> passes(Route route, String group, Subscription filter) {
    if (filter.isTag()) {
      return Future.succeededFuture();
    }
    byte[] body = new ClientConfigBody(clientId, group, filter).encode();
    List<Future<Void>> answers = route.addresses().distinct().map(broker -> ask(broker, body)).toList();
    return answers.isEmpty() ? Future.succeededFuture() : Future.join(answers).mapEmpty();
  }

  private Future<Void> ask(Address broker, byte[] body) {
    return links
        .call(broker, RemotingCommand.request(RequestCode.CHECK_CLIENT_CONFIG).body(body), timeoutMs)
        .transform(
            asked ->
                asked.failed() || asked.result().code() == ResultCode.SUCCESS.wire()
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        MetaqException.refused(broker.toString(), asked.result().code(), asked.result().remark())));
  }
}
