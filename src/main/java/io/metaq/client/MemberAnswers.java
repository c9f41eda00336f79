package io.metaq.client;

import io.metaq.codec.admin.ConsumerRunning;
import io.metaq.codec.admin.OffsetsBody;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.remoting.ClientBodies.QueueRef;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What brokers tell and ask members of groups of their own accord, mostly for tools: that the members changed, an order to go on elsewhere,
 * where a member stands, how it runs, a message to be consumed at once (40, 220, 221, 307, 309).
 */
final class MemberAnswers {
  private static final Logger log = LoggerFactory.getLogger(MemberAnswers.class);
  private static final String CLIENT_VERSION = "V5_5_0";

  private final ClientParts parts;
  private final Function<String, Optional<GroupMember>> members;
  private final String nameServers;

  private MemberAnswers(ClientParts parts, Function<String, Optional<GroupMember>> members, String nameServers) {
    this.parts = parts;
    this.members = members;
    this.nameServers = nameServers;
  }

  /**
   * Begins to answer.
   *
   * @param members the member of a group; empty when this client is none
   * @param nameServers as tools are told
   */
  static void serve(ClientParts parts, Function<String, Optional<GroupMember>> members, String nameServers) {
    MemberAnswers answers = new MemberAnswers(parts, members, nameServers);
    parts.links().serve(
        RequestCode.NOTIFY_CONSUMER_IDS_CHANGED,
        (notice, link) -> notice.text("consumerGroup").flatMap(members).ifPresent(GroupMember::membersChanged));
    parts.links().serve(RequestCode.RESET_CONSUMER_CLIENT_OFFSET, (order, link) -> answers.reset(order));
    parts.links().serve(RequestCode.GET_CONSUMER_STATUS_FROM_CLIENT, (request, link) -> link.answer(answers.status(request)));
    parts.links().serve(RequestCode.GET_CONSUMER_RUNNING_INFO, (request, link) -> answers.running(request).onSuccess(link::answer));
    parts.links().serve(RequestCode.CONSUME_MESSAGE_DIRECTLY, (request, link) -> answers.consume(request).onSuccess(link::answer));
  }

  private void reset(RemotingCommand order) {
    Optional<GroupMember> member = order.text("group").flatMap(members);
    if (member.isEmpty()) {
      return;
    }
    try {
      OffsetsBody.decodeResetOrder(order.body()).forEach((queue, offset) ->
          seek(member.get(), new TopicQueue(queue.topic(), queue.brokerName(), queue.queueId()), offset));
    } catch (BodyException unreadable) {
      log.warn("order to reset offsets cannot be read group={} cause={}", order.text("group").orElse(""), unreadable.getMessage());
    }
  }

  private static void seek(GroupMember member, TopicQueue queue, long offset) {
    if (member.held().reads(queue)) {
      member.held().seek(queue, offset)
          .onSuccess(done -> log.info("offset was reset by order of a tool queue={} queueOffset={}", queue, offset))
          .onFailure(failure -> log.warn("offset was not reset queue={} queueOffset={} cause={}", queue, offset, failure.getMessage()));
    }
  }

  private RemotingCommand status(RemotingCommand request) {
    Optional<GroupMember> member = request.text("group").flatMap(members);
    if (member.isEmpty()) {
      return noMember(request, "group");
    }
    String topic = request.text("topic").orElse("");
    Map<QueueRef, Long> offsets = new HashMap<>();
    member.get().held().all().stream()
        .filter(queue -> queue.queue().topic().equals(topic) && queue.progress() >= 0)
        .forEach(queue -> offsets.put(QueueLease.ref(queue.queue()), queue.progress()));
    return request.success().body(OffsetsBody.status(offsets));
  }

  private Future<RemotingCommand> running(RemotingCommand request) {
    Optional<GroupMember> member = request.text("consumerGroup").flatMap(members);
    if (member.isEmpty()) {
      return Future.succeededFuture(noMember(request, "consumerGroup"));
    }
    boolean threads = request.text("jstackEnable").map(Boolean::parseBoolean).orElse(false);
    return (threads ? parts.home().blocking(ThreadDump::text) : Future.succeededFuture(""))
        .map(jstack -> request.success().body(running(member.get(), jstack).encode()));
  }

  private ConsumerRunning running(GroupMember member, String jstack) {
    boolean ordered = member.subscribers().stream().anyMatch(one -> one.subscription().isOrdered());
    Map<String, String> properties = new TreeMap<>();
    properties.put("PROP_CLIENT_VERSION", CLIENT_VERSION);
    properties.put("PROP_CONSUME_TYPE", "CONSUME_PASSIVELY");
    properties.put("PROP_CONSUMEORDERLY", Boolean.toString(ordered));
    properties.put("PROP_CONSUMER_START_TIMESTAMP", Long.toString(member.startMs()));
    properties.put("PROP_NAMESERVER_ADDR", nameServers);
    properties.put("PROP_THREADPOOL_CORE_SIZE", "0");
    return new ConsumerRunning(
        properties,
        member.filters(),
        member.held().all().stream().filter(HeldQueue::named).map(HeldQueue::running).toList(),
        member.subscribers().stream().map(one -> new ConsumerRunning.TopicState(
            one.subscription().topic(), one.delivered().perSecond(), one.acknowledged().perSecond(), one.sentBack().perSecond(),
            one.sentBack().count())).toList(),
        jstack);
  }

  private Future<RemotingCommand> consume(RemotingCommand request) {
    Optional<GroupMember> member = request.text("consumerGroup").flatMap(members);
    return member.isEmpty()
        ? Future.succeededFuture(noMember(request, "consumerGroup"))
        : DirectDelivery.answer(parts, member.get(), request);
  }

  private static RemotingCommand noMember(RemotingCommand request, String field) {
    return request.response(
        ResultCode.SYSTEM_ERROR, "this client is no member of group '" + request.text(field).orElse("") + "'");
  }
}
