package io.metaq.client;

import io.metaq.client.AdminCalls.Node;
import io.metaq.codec.client.PullAnswer;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.MessageIds;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds messages: by either of their ids, by key, by place and by time. */
@OwnedBy("its client's context")
final class MessageLookUp {
  /** Brokers give no more in one answer to a query by key. */
  private static final int MOST_BY_KEY = 32;
  static final Comparator<FoundMessage> BY_AGE = Comparator.comparingLong(FoundMessage::storeTimestampMs)
      .thenComparing(FoundMessage::broker).thenComparingLong(FoundMessage::phyOffset);

  private final Home home;
  private final AdminCalls calls;
  private final RouteCache routes;
  private final BrokerOffsets offsets;
  private final Pulls pulls;

  MessageLookUp(Home home, AdminCalls calls, RouteCache routes, BrokerOffsets offsets, Pulls pulls) {
    this.home = home;
    this.calls = calls;
    this.routes = routes;
    this.offsets = offsets;
    this.pulls = pulls;
  }

  /** By the id its producer gave it when a topic is named, else or when there is none by the id that holds its place. */
  Future<Optional<FoundMessage>> byId(Optional<String> topic, String id) {
    if (topic.isEmpty()) {
      return byPlace(id);
    }
    return byUniqueId(topic.get(), id).compose(found -> found.isEmpty() ? byPlace(id) : Future.succeededFuture(found));
  }

  /** By the id its producer gave it; of copies the newest, whichever broker has it. */
  Future<Optional<FoundMessage>> byUniqueId(String topic, String id) {
    return query(topic, id, 1, true).map(found -> {
      Optional<FoundMessage> newest = found.parts().stream().flatMap(List::stream).max(BY_AGE);
      return found.unlessUnknown(newest, newest.isEmpty());
    });
  }

  /** Messages with this key, oldest first. */
  Future<List<FoundMessage>> byKey(String topic, String key, int max) {
    return query(topic, key, Math.min(max, MOST_BY_KEY), false).map(found -> found.unlessUnknown(
        found.parts().stream().flatMap(List::stream).filter(message -> message.message().keys().contains(key))
            .sorted(BY_AGE).limit(max).toList(), true));
  }

  /** From an offset of a queue on; empty at the queue's end. Fails outside of the queue. */
  Future<List<FoundMessage>> at(TopicQueue queue, long queueOffset, int max) {
    return route(queue.topic()).compose(route -> {
      if (!route.readable().contains(queue)) {
        throw TopicAdmin.noQueue(queue, queue.topic());
      }
      return named(queue, pull(route, queue, queueOffset, max, new ArrayList<>()));
    });
  }

  private static <T> Future<T> named(TopicQueue queue, Future<T> reading) {
    return AdminCalls.named(queue, "read topic '" + queue.topic() + "'", reading);
  }

  /** Stored at {@code fromMs} or later, oldest first, out of all queues of the topic. */
  Future<List<FoundMessage>> since(String topic, long fromMs, int max) {
    return route(topic)
        .compose(route -> AdminCalls.forEach(route.readable(), queue -> named(queue, offsets.of(queue, new Position.At(fromMs))
            .compose(offset -> pull(route, queue, offset, max, new ArrayList<>())))))
        // A broker may answer with what it has last when all is older.
        .map(parts -> parts.stream().flatMap(List::stream).filter(found -> found.storeTimestampMs() >= fromMs)
            .sorted(BY_AGE).limit(max).toList());
  }

  private Future<Route> route(String topic) {
    return routes.fetch(topic).compose(found -> routes.orFail(found, () -> TopicAdmin.unknown(topic)));
  }

  private Future<List<FoundMessage>> pull(Route route, TopicQueue queue, long queueOffset, int max, List<FoundMessage> before) {
    Address address = route.reading(queue.broker(), 0).orElseThrow();
    Pulls.Reader reader = new Pulls.Reader(
        LoneReading.READER_GROUP, io.metaq.model.Subscription.ofTags(queue.topic(), io.metaq.model.Subscription.ALL, 0), false);
    return pulls.pull(address, queue, reader, queueOffset, max - before.size(), 0).compose(batch -> {
      PullAnswer answer = batch.answer();
      if (answer.outcome() == PullAnswer.Outcome.MOVED) {
        throw TopicAdmin.outside(queue, queueOffset, answer.minQueueOffset(), answer.maxQueueOffset());
      }
      batch.messages().stream().limit(max - before.size())
          .forEach(received -> before.add(FoundMessage.of(queue.broker(), received)));
      boolean end = batch.messages().isEmpty() || answer.nextQueueOffset() >= answer.maxQueueOffset();
      return end || before.size() >= max
          ? Future.succeededFuture(before)
          : pull(route, queue, answer.nextQueueOffset(), max, before);
    });
  }

  private Future<AdminCalls.Gathered<List<FoundMessage>>> query(String topic, String key, int max, boolean unique) {
    return route(topic).compose(route -> calls.readable()
        .map(nodes -> nodes.stream().filter(node -> route.brokers().containsKey(node.name())).toList())
        .compose(nodes -> AdminCalls.gather(nodes, node -> query(node, topic, key, max, unique))));
  }

  private Future<List<FoundMessage>> query(Node node, String topic, String key, int max, boolean unique) {
    RemotingCommand request = RemotingCommand.request(RequestCode.QUERY_MESSAGE)
        .ext("topic", topic).ext("key", key).ext("maxNum", max).ext("beginTimestamp", 0).ext("endTimestamp", Long.MAX_VALUE)
        .ext("_UNIQUE_KEY_QUERY", unique);
    return calls.find(node, "look for '" + key + "' in topic '" + topic + "'", request, ResultCode.QUERY_NOT_FOUND)
        .compose(answer -> answer.isEmpty() ? Future.succeededFuture(List.of()) : found(node, answer.get()))
        // The index goes by a hash of the key.
        .map(found -> found.stream().filter(message -> message.message().topic().equals(topic)
            && (!unique || message.messageId().equals(key))).toList());
  }

  private Future<Optional<FoundMessage>> byPlace(String id) {
    Optional<MessageIds.Parsed> place = MessageIds.parse(id);
    if (place.isEmpty()) {
      throw MetaqException.of(
          MetaqException.Reason.INVALID, "'" + id + "' is no message id, which has 32 or 56 hexadecimal digits");
    }
    Address address = address(place.get());
    return at(new Node("", address.toString(), 0, address), id, place.get().phyOffset());
  }

  /**
   * By the id that holds its place, of registered brokers alone: of that with the address in the id or, when none has it, of those with
   * its port. A broker on this machine may be known here by its loopback address, which its messages do not have.
   */
  Future<Optional<FoundMessage>> byRegisteredPlace(String id) {
    Optional<MessageIds.Parsed> place = MessageIds.parse(id);
    if (place.isEmpty()) {
      return Future.succeededFuture(Optional.empty());
    }
    return calls.nodes().compose(nodes -> {
      List<Node> named = nodes.stream().filter(node -> node.address().equals(address(place.get()))).toList();
      List<Node> asked = named.isEmpty() ? nodes.stream().filter(node -> node.address().port() == place.get().port()).toList() : named;
      // What lies there at a broker that is not meant need not be a message.
      return AdminCalls.gather(asked, node -> view(node, id, place.get().phyOffset()).compose(answer ->
              named.isEmpty() ? message(node, answer).otherwise(Optional.empty()) : message(node, answer)))
          .map(all -> {
            Optional<FoundMessage> there =
                all.parts().stream().flatMap(Optional::stream).filter(found -> found.offsetId().equalsIgnoreCase(id)).findFirst();
            return all.unlessUnknown(there, there.isEmpty());
          });
    });
  }

  private Future<Optional<FoundMessage>> at(Node node, String id, long phyOffset) {
    return view(node, id, phyOffset).compose(answer -> message(node, answer));
  }

  private Future<RemotingCommand> view(Node node, String id, long phyOffset) {
    return calls.answer(node, "look for '" + id + "'", RemotingCommand.request(RequestCode.VIEW_MESSAGE_BY_ID).ext("offset", phyOffset));
  }

  private Future<Optional<FoundMessage>> message(Node node, RemotingCommand answer) {
    return answer.code() == ResultCode.SUCCESS.wire()
        ? found(node, answer).map(found -> found.stream().findFirst())
        : Future.succeededFuture(Optional.empty());
  }

  private static Address address(MessageIds.Parsed place) {
    try {
      return new Address(InetAddress.getByAddress(place.ip()).getHostAddress(), place.port());
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("an address of " + place.ip().length + " bytes", impossible);
    }
  }

  /** Of records back to back; on a worker, for bodies may have to be unpacked. */
  private Future<List<FoundMessage>> found(Node node, RemotingCommand answer) {
    List<StoredMessage> stored;
    try {
      stored = PullAnswer.records(answer.body());
    } catch (HeaderException broken) {
      return Future.failedFuture(MetaqException.of(
          MetaqException.Reason.CONNECTION, node + " sent an answer that cannot be read: " + broken.getMessage(), broken));
    }
    return home.blocking(() ->
        stored.stream().map(Received::unpacked).map(received -> FoundMessage.of(node.name(), received)).toList());
  }
}
