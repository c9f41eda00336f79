package io.metaq.client;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.ClusterInfo;
import io.metaq.codec.registry.ClusterInfoCodec;
import io.metaq.codec.registry.TopicRoute;
import io.metaq.codec.registry.TopicRouteCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Asks the name servers: one of the list, chosen by chance at first, and the next one when it does not answer, or not with what was asked
 * for.
 */
@OwnedBy("its client's context")
final class NameServers {
  private final Links links;
  private final List<Address> addresses;
  private final long timeoutMs;
  private int current;

  NameServers(Links links, List<Address> addresses, long timeoutMs, RandomGenerator random) {
    this.links = links;
    this.addresses = addresses;
    this.timeoutMs = timeoutMs;
    this.current = random.nextInt(addresses.size());
  }

  /** What is registered for a topic, empty when it is unknown; fails with {@code NO_NAME_SERVER} when none answers so that it can be read. */
  Future<Optional<TopicRoute>> route(String topic) {
    return ask(
        () -> RemotingCommand.request(RequestCode.GET_ROUTEINFO_BY_TOPIC).ext("topic", topic),
        told -> told.answer.code() == ResultCode.TOPIC_NOT_EXIST.wire()
            ? Optional.empty() : Optional.of(read(told, "route", TopicRouteCodec::decode)),
        addresses.size());
  }

  /** Every broker that is registered; fails as {@link #route}. */
  Future<ClusterInfo> cluster() {
    return ask(
        () -> RemotingCommand.request(RequestCode.GET_BROKER_CLUSTER_INFO),
        told -> read(told, "list of brokers", ClusterInfoCodec::decode),
        addresses.size());
  }

  /** All of the list. */
  List<Address> addresses() {
    return addresses;
  }

  /** An answer, and who gave it. */
  private record Told(Address address, RemotingCommand answer) {}

  private <T> Future<T> ask(Supplier<RemotingCommand> request, Function<Told, T> reader, int attemptsLeft) {
    int index = current;
    Address address = addresses.get(index);
    return links
        .call(address, request.get(), timeoutMs)
        .recover(unanswered -> Future.failedFuture(isClosed(unanswered) ? unanswered : noneAnswers(unanswered)))
        .map(answer -> reader.apply(new Told(address, answer)))
        .recover(
            failure -> {
              if (isClosed(failure)) {
                return Future.failedFuture(failure);
              }
              if (current == index) {
                current = (index + 1) % addresses.size();
              }
              return attemptsLeft > 1 ? ask(request, reader, attemptsLeft - 1) : Future.failedFuture(failure);
            });
  }

  private static <T> T read(Told told, String what, Function<byte[], T> decoder) {
    RemotingCommand answer = told.answer;
    if (answer.code() != ResultCode.SUCCESS.wire()) {
      throw MetaqException.refused("name server " + told.address, answer.code(), answer.remark());
    }
    try {
      return decoder.apply(answer.body());
    } catch (BodyException unreadable) {
      throw MetaqException.of(
          MetaqException.Reason.NO_NAME_SERVER,
          "name server " + told.address + " sent no readable " + what + ": " + unreadable.getMessage(),
          unreadable);
    }
  }

  private static boolean isClosed(Throwable failure) {
    return failure instanceof MetaqException typed && typed.reason() == MetaqException.Reason.CLOSED;
  }

  private MetaqException noneAnswers(Throwable last) {
    String list = String.join(", ", addresses.stream().map(Address::toString).toList());
    return MetaqException.of(
        MetaqException.Reason.NO_NAME_SERVER, "no name server is reachable at " + list + " (" + last.getMessage() + ")", last);
  }
}
