package io.metaq.client;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.BrokerData;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What administration asks of brokers and name servers: of one or of all, with failures that say what was asked of whom. */
@OwnedBy("its client's context")
final class AdminCalls {
  private static final int AT_ONCE = 16;

  private final Links links;
  private final NameServers nameServers;
  private final long timeoutMs;

  AdminCalls(Links links, NameServers nameServers, long timeoutMs) {
    this.links = links;
    this.nameServers = nameServers;
    this.timeoutMs = timeoutMs;
  }

  /** A broker that can be asked. */
  record Node(String cluster, String name, long id, Address address) {
    private static final Comparator<Node> ORDER =
        Comparator.comparing(Node::cluster).thenComparing(Node::name).thenComparingLong(Node::id);

    boolean master() {
      return id == BrokerData.MASTER_ID;
    }

    @Override
    public String toString() {
      return "broker " + name + (master() ? "" : " with id " + id) + " at " + address;
    }
  }

  /** Every broker that is registered, sorted. */
  Future<List<Node>> nodes() {
    return nameServers.cluster().map(info -> {
      List<Node> nodes = new ArrayList<>();
      for (BrokerData broker : info.brokers()) {
        broker.addresses().forEach((id, text) ->
            Address.find(text).ifPresent(address -> nodes.add(new Node(broker.cluster(), broker.brokerName(), id, address))));
      }
      nodes.sort(Node.ORDER);
      return nodes;
    });
  }

  /** One broker of each name, the master where there is one; fails when there is none at all. */
  Future<List<Node>> readable() {
    return nodes().map(nodes -> {
      List<Node> first = new ArrayList<>();
      for (Node node : nodes) {
        if (first.isEmpty() || !first.get(first.size() - 1).name.equals(node.name)) {
          first.add(node);
        }
      }
      return some(first, "no broker is registered at the name servers " + nameServers.addresses());
    });
  }

  /** All masters, or those of a cluster, or the one of a broker name; fails when there is none. */
  Future<List<Node>> masters(Optional<String> cluster, Optional<String> broker) {
    return nodes().map(nodes -> some(
        nodes.stream()
            .filter(Node::master)
            .filter(node -> cluster.isEmpty() || node.cluster.equals(cluster.get()))
            .filter(node -> broker.isEmpty() || node.name.equals(broker.get()))
            .toList(),
        "no master is registered" + broker.map(name -> " for broker '" + name + "'").orElse("")
            + cluster.map(name -> " in cluster '" + name + "'").orElse("") + " at the name servers " + nameServers.addresses()));
  }

  /** Fails with {@code NO_BROKER} when there are none. */
  static List<Node> some(List<Node> nodes, String otherwise) {
    if (nodes.isEmpty()) {
      throw MetaqException.of(MetaqException.Reason.NO_BROKER, otherwise);
    }
    return nodes;
  }

  /** A successful answer; fails with one sentence, in which {@code what} is the request in plain words. */
  Future<RemotingCommand> ask(Node node, String what, RemotingCommand request) {
    return ask(node, what, request, timeoutMs);
  }

  /** As {@link #ask}, with a time limit of its own. */
  Future<RemotingCommand> ask(Node node, String what, RemotingCommand request, long limitMs) {
    return call(node, what, request, limitMs).compose(answer -> answer.code() == ResultCode.SUCCESS.wire()
        ? Future.succeededFuture(answer)
        : Future.failedFuture(MetaqException.refused(node.toString(), what, answer.code(), answer.remark())));
  }

  /** As {@link #ask}; empty when the answer says by {@code absent} that there is no such thing. */
  Future<Optional<RemotingCommand>> find(Node node, String what, RemotingCommand request, ResultCode absent) {
    return answer(node, what, request).compose(answer -> answer.code() == absent.wire()
        ? Future.succeededFuture(Optional.empty())
        : answer.code() == ResultCode.SUCCESS.wire()
            ? Future.succeededFuture(Optional.of(answer))
            : Future.failedFuture(MetaqException.refused(node.toString(), what, answer.code(), answer.remark())));
  }

  /** Any answer. */
  Future<RemotingCommand> answer(Node node, String what, RemotingCommand request) {
    return call(node, what, request, timeoutMs);
  }

  private Future<RemotingCommand> call(Node node, String what, RemotingCommand request, long limitMs) {
    return links.call(node.address, request, limitMs).recover(failure -> Future.failedFuture(named(node.toString(), what, failure)));
  }

  /** A failure that says of whom it was asked, unless it does already, the request was wrong in itself, or the client is at its end. */
  static Throwable named(String server, String what, Throwable failure) {
    return failure instanceof MetaqException typed && typed.broker().isEmpty()
        && typed.reason() != MetaqException.Reason.CLOSED && typed.reason() != MetaqException.Reason.INVALID
        ? MetaqException.unanswered(server, what, typed) : failure;
  }

  /** What is read from a queue; a failure is {@link #named}. */
  static <T> Future<T> named(TopicQueue queue, String what, Future<T> reading) {
    return reading.recover(failure -> Future.failedFuture(named("broker " + queue.broker(), what, failure)));
  }

  /** Asks every name server for the same; completes when each has answered with success. */
  Future<Void> tellNameServers(String what, Function<Address, RemotingCommand> request) {
    return inOrder(nameServers.addresses(), address -> links.call(address, request.apply(address), timeoutMs).compose(answer ->
        answer.code() == ResultCode.SUCCESS.wire()
            ? Future.succeededFuture()
            : Future.failedFuture(MetaqException.refused("name server " + address, what, answer.code(), answer.remark()))))
        .mapEmpty();
  }

  /** Reads a body; what cannot be read fails with who sent it. */
  static <T> T read(Node node, RemotingCommand answer, Function<byte[], T> decoder) {
    try {
      return decoder.apply(answer.body());
    } catch (BodyException unreadable) {
      throw MetaqException.of(
          MetaqException.Reason.CONNECTION,
          node + " sent an answer that cannot be read: " + unreadable.getMessage(),
          unreadable);
    }
  }

  /** Does it for each, {@value #AT_ONCE} at a time; results in the order of the items. */
  static <T, R> Future<List<R>> forEach(List<T> items, Function<T, Future<R>> action) {
    Future<List<R>> done = Future.succeededFuture(new ArrayList<>());
    for (int from = 0; from < items.size(); from += AT_ONCE) {
      List<T> some = items.subList(from, Math.min(items.size(), from + AT_ONCE));
      done = done.compose(results -> {
        List<Future<R>> started = some.stream().map(action).toList();
        return Future.all(started).map(all -> {
          started.forEach(one -> results.add(one.result()));
          return results;
        });
      });
    }
    return done;
  }

  /**
   * What brokers told, and who told nothing.
   *
   * @param <T> what one of them told
   * @param first failure of those that told nothing
   */
  record Gathered<T>(List<T> parts, List<MissingBroker> missing, Optional<MetaqException> first) {
    /** Passes on what was made of the parts; fails as the first that told nothing, where it would say that there is nothing at all. */
    <R> R unlessUnknown(R made, boolean nothing) {
      if (nothing && first.isPresent()) {
        throw first.get();
      }
      return made;
    }
  }

  /** As {@link #forEach}, without those that do not answer; fails as the first of them when nobody does. */
  static <T> Future<Gathered<T>> gather(List<Node> nodes, Function<Node, Future<T>> question) {
    return gatherOf(nodes, Node::name, question);
  }

  /** As {@link #gather}, of what brokers have. */
  static <S, T> Future<Gathered<T>> gatherOf(List<S> sources, Function<S, String> broker, Function<S, Future<T>> question) {
    return forEach(sources, source -> question.apply(source).transform(result -> Future.succeededFuture(result))).compose(asked -> {
      List<T> parts = new ArrayList<>();
      Map<String, MissingBroker> missing = new LinkedHashMap<>();
      MetaqException first = null;
      for (int i = 0; i < asked.size(); i++) {
        AsyncResult<T> one = asked.get(i);
        if (one.succeeded()) {
          parts.add(one.result());
        } else if (one.cause() instanceof MetaqException typed && typed.reason() != MetaqException.Reason.CLOSED) {
          first = first == null ? typed : first;
          missing.putIfAbsent(broker.apply(sources.get(i)), MissingBroker.of(broker.apply(sources.get(i)), typed));
        } else {
          return Future.failedFuture(one.cause());
        }
      }
      return parts.isEmpty() && first != null ? Future.failedFuture(first)
          : Future.succeededFuture(new Gathered<>(parts, List.copyOf(missing.values()), Optional.ofNullable(first)));
    });
  }

  /** Does it for one after the other, and stops at the first failure. */
  static <T, R> Future<List<R>> inOrder(List<T> items, Function<T, Future<R>> action) {
    Future<List<R>> done = Future.succeededFuture(new ArrayList<>());
    for (T item : items) {
      done = done.compose(results -> action.apply(item).map(result -> {
        results.add(result);
        return results;
      }));
    }
    return done;
  }
}
