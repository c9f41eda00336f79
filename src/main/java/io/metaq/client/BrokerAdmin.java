package io.metaq.client;

import io.metaq.client.AdminCalls.Node;
import io.metaq.codec.admin.ConnectionsBody;
import io.metaq.codec.admin.HaStatusBody;
import io.metaq.codec.registry.BrokerData;
import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Shows how brokers are, who sends to them, and their settings. */
@OwnedBy("its client's context")
final class BrokerAdmin {
  private final AdminCalls calls;

  BrokerAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /** What one broker said of itself. */
  private record Told(BrokerInfo broker, Optional<HaStatusBody> replication, OptionalLong producers) {}

  Future<List<BrokerInfo>> all() {
    return calls.nodes().compose(nodes -> AdminCalls.forEach(nodes, this::info));
  }

  Future<List<BrokerStatus>> statuses() {
    return calls.nodes().compose(nodes -> AdminCalls.forEach(nodes, this::told)).map(all -> all.stream()
        .map(told -> StatusFigures.of(told.broker, told.replication, told.producers, masterEnd(told.broker, all))).toList());
  }

  private static OptionalLong masterEnd(BrokerInfo slave, List<Told> all) {
    return all.stream().map(Told::broker)
        .filter(other -> other.master() && other.name().equals(slave.name()) && other.cluster().equals(slave.cluster()))
        .findFirst().map(StatusFigures::logEnd).orElse(OptionalLong.empty());
  }

  private Future<BrokerInfo> info(Node node) {
    return calls.ask(node, "show the broker", RemotingCommand.request(RequestCode.GET_BROKER_RUNTIME_INFO))
        .map(answer -> info(node, Optional.empty(), AdminCalls.read(node, answer, KvTableCodec::decode)))
        .otherwise(failure -> info(node, Optional.of(String.valueOf(failure.getMessage())), Map.of()));
  }

  private static BrokerInfo info(Node node, Optional<String> fault, Map<String, String> figures) {
    return new BrokerInfo(node.cluster(), node.name(), node.id(), node.address().toString(), fault, figures);
  }

  /** One that does not answer the first question is not asked the others. */
  private Future<Told> told(Node node) {
    return info(node).compose(info -> info.fault().isPresent()
        ? Future.succeededFuture(new Told(info, Optional.empty(), OptionalLong.empty()))
        : replication(node).compose(replication -> producerCount(node, info).map(count -> new Told(info, replication, count))));
  }

  private Future<Optional<HaStatusBody>> replication(Node node) {
    return optional(calls.ask(node, "show the replication", RemotingCommand.request(RequestCode.GET_BROKER_HA_STATUS))
        .map(answer -> AdminCalls.read(node, answer, HaStatusBody::decode)));
  }

  private Future<OptionalLong> producerCount(Node node, BrokerInfo info) {
    return info.figures().containsKey("metaqProducers") ? Future.succeededFuture(OptionalLong.empty())
        : optional(producers(node)).map(found -> found
            .map(groups -> OptionalLong.of(
                groups.values().stream().flatMap(List::stream).map(ConnectionsBody.Client::clientId).distinct().count()))
            .orElse(OptionalLong.empty()));
  }

  /** Old brokers do not know every question; what one does not say is unknown. */
  private static <T> Future<Optional<T>> optional(Future<T> answer) {
    return answer.map(Optional::of).otherwise(Optional.empty());
  }

  private Future<Map<String, List<ConnectionsBody.Client>>> producers(Node node) {
    return calls.ask(node, "list the producers", RemotingCommand.request(RequestCode.GET_ALL_PRODUCER_INFO))
        .map(answer -> AdminCalls.read(node, answer, ConnectionsBody::decodeProducers));
  }

  /** A producer as it was met at one broker. */
  private record Met(String broker, ConnectionsBody.Client client) {}

  Future<List<ProducerGroup>> producers() {
    return calls.masters(Optional.empty(), Optional.empty())
        .compose(nodes -> AdminCalls.gather(nodes, node -> producers(node).map(groups -> Map.entry(node, groups))))
        .map(found -> {
          Map<String, SortedMap<String, List<Met>>> byGroup = new TreeMap<>();
          found.parts().forEach(shelf -> shelf.getValue().forEach((group, clients) -> clients.forEach(client -> byGroup
              .computeIfAbsent(group, name -> new TreeMap<>())
              .computeIfAbsent(client.clientId(), id -> new ArrayList<>())
              .add(new Met(shelf.getKey().name(), client)))));
          List<ProducerGroup> groups = new ArrayList<>();
          byGroup.forEach((group, clients) ->
              groups.add(new ProducerGroup(group, clients.values().stream().map(BrokerAdmin::client).toList(), found.missing())));
          return found.unlessUnknown(groups, groups.isEmpty());
        });
  }

  private static ProducerGroup.Client client(List<Met> met) {
    ConnectionsBody.Client first = met.get(0).client;
    long seenMs = met.stream().mapToLong(one -> one.client.seenAtMs()).max().orElse(0);
    return new ProducerGroup.Client(first.clientId(), first.remote(), first.language(), first.version(),
        seenMs <= 0 ? OptionalLong.empty() : OptionalLong.of(seenMs),
        List.copyOf(new TreeSet<>(met.stream().map(Met::broker).toList())));
  }

  Future<SortedMap<String, String>> settings(String broker, long id) {
    return node(broker, id)
        .compose(node -> calls.ask(node, "show the settings", RemotingCommand.request(RequestCode.GET_BROKER_CONFIG))
            .map(answer -> properties(node, answer.body())));
  }

  Future<Void> change(String broker, long id, Map<String, String> settings) {
    if (settings.isEmpty()) {
      return Future.failedFuture(MetaqException.of(MetaqException.Reason.INVALID, "no setting is named"));
    }
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
      if (!setting.getKey().matches("[A-Za-z0-9._]+") || setting.getValue().matches("(?s).*[\\r\\n].*")) {
        return Future.failedFuture(MetaqException.of(
            MetaqException.Reason.INVALID, "setting '" + setting.getKey().lines().findFirst().orElse("")
                + "' is none: a name has letters, digits, dots and underscores, a value is of one line"));
      }
      text.append(setting.getKey()).append('=').append(setting.getValue().replace("\\", "\\\\")).append('\n');
    }
    return node(broker, id).compose(node -> calls.ask(node, "change the settings " + String.join(", ", new TreeSet<>(settings.keySet())),
        RemotingCommand.request(RequestCode.UPDATE_BROKER_CONFIG).body(text.toString().getBytes(StandardCharsets.UTF_8)))).mapEmpty();
  }

  private Future<Node> node(String broker, long id) {
    return calls.nodes().map(nodes -> nodes.stream().filter(node -> node.name().equals(broker) && node.id() == id).findFirst()
        .orElseThrow(() -> MetaqException.of(MetaqException.Reason.NOT_FOUND, "no broker '" + broker + "'"
            + (id == BrokerData.MASTER_ID ? "" : " with id " + id) + " is registered")));
  }

  private static SortedMap<String, String> properties(Node node, byte[] body) {
    Properties read = new Properties();
    try {
      // A backslash is one here, in paths of Windows.
      read.load(new StringReader(new String(body, StandardCharsets.UTF_8).replace("\\", "\\\\")));
    } catch (IOException | IllegalArgumentException unreadable) {
      throw MetaqException.of(MetaqException.Reason.CONNECTION, node + " sent settings that cannot be read", unreadable);
    }
    SortedMap<String, String> settings = new TreeMap<>();
    read.stringPropertyNames().forEach(key -> settings.put(key, read.getProperty(key)));
    return settings;
  }
}
