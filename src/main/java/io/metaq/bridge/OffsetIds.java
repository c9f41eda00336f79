package io.metaq.bridge;

import io.metaq.client.BrokerInfo;
import io.metaq.client.FoundMessage;
import io.metaq.client.MetaqClient;
import io.metaq.codec.remoting.MessageIds;
import io.vertx.core.Future;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * Finds messages by ids that hold their place. Such an id names an address to connect to, and strangers write ids: only brokers that
 * are registered are asked.
 */
final class OffsetIds {
  private final MetaqClient client;

  OffsetIds(MetaqClient client) {
    this.client = client;
  }

  /** Empty when it is no such id, or its broker is not registered, or has nothing there. */
  Future<Optional<FoundMessage>> find(String id) {
    Optional<String> address = MessageIds.parse(id).flatMap(OffsetIds::address);
    if (address.isEmpty()) {
      return Future.succeededFuture(Optional.empty());
    }
    return Unis.list(client.admin().brokers()).compose(brokers -> registered(brokers, address.get())
        ? Unis.future(client.admin().message(Optional.empty(), id))
        : Future.succeededFuture(Optional.empty()));
  }

  private static boolean registered(List<BrokerInfo> brokers, String address) {
    return brokers.stream().anyMatch(broker -> broker.address().equals(address));
  }

  private static Optional<String> address(MessageIds.Parsed place) {
    try {
      String host = InetAddress.getByAddress(place.ip()).getHostAddress();
      return Optional.of((host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + place.port());
    } catch (UnknownHostException neither4Nor16Bytes) {
      return Optional.empty();
    }
  }
}
