package io.metaq.broker;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.TopicConfigCodec;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.RegistrationProxy;
import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.model.Perm;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes, changes and deletes topics: UPDATE_AND_CREATE_TOPIC, UPDATE_AND_CREATE_TOPIC_LIST, DELETE_TOPIC_IN_BROKER (17, 18, 215). A
 * change is answered when a name server has it, so that whoever asks there next finds it. Deleting takes the name and the groups'
 * progress away; messages stay in the log until they expire, and a topic made anew by that name goes on behind them.
 */
final class TopicAdminHandler extends CommandHandler {
  /** Tools give up after 5 s. */
  private static final long REGISTRATION_LIMIT_MS = 3_000;
  private static final int MOST_QUEUES = 65_535;
  private static final int ANY_PERM = Perm.READ_WRITE | Perm.INHERIT;
  private static final Set<String> FILTER_TYPES = Set.of("SINGLE_TAG", "MULTI_TAG");
  private static final Logger log = LoggerFactory.getLogger(TopicAdminHandler.class);

  private final Set<String> system;
  private final TopicsProxy topics;
  private final LoopGroups groups;
  private final OffsetsProxy offsets;
  private final RegistrationProxy registration;

  TopicAdminHandler(
      Set<String> system, TopicsProxy topics, LoopGroups groups, OffsetsProxy offsets, RegistrationProxy registration) {
    this.system = system;
    this.topics = topics;
    this.groups = groups;
    this.offsets = offsets;
    this.registration = registration;
  }

  /** A topic that is wished for, with the change of its attributes in words. */
  private record Wish(TopicConfig topic, String attributes) {}

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    RequestCode code = RequestCode.of(request.code()).orElseThrow();
    log.info("topics are administrated code={} topic={} remote={}", request.code(), request.text("topic").orElse("-"), connection.remote());
    return switch (code) {
      case UPDATE_AND_CREATE_TOPIC -> update(request, List.of(wish(request)));
      case UPDATE_AND_CREATE_TOPIC_LIST -> update(request, wishes(request.body()));
      case DELETE_TOPIC_IN_BROKER -> delete(request);
      default -> Future.succeededFuture(request.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, "not about topics: " + code));
    };
  }

  private static Wish wish(RemotingCommand request) {
    TopicConfig topic = new TopicConfig(
        request.requireText("topic").trim(),
        request.requireInt("readQueueNums"),
        request.requireInt("writeQueueNums"),
        request.requireInt("perm"),
        request.text("topicFilterType").orElse("SINGLE_TAG"),
        (int) request.longOr("topicSysFlag", 0),
        request.booleanOr("order", false),
        Map.of());
    return new Wish(topic, request.text("attributes").orElse(""));
  }

  private static List<Wish> wishes(byte[] body) {
    try {
      return TopicConfigCodec.decodeList(body).stream().map(topic -> new Wish(topic, words(topic.attributes()))).toList();
    } catch (BodyException unreadable) {
      throw new HeaderException(unreadable.getMessage(), unreadable);
    }
  }

  /** In a list the sign stands before the key: {@code {"+message.type":"FIFO"}}. */
  private static String words(Map<String, String> attributes) {
    return attributes.entrySet().stream()
        .map(entry -> entry.getKey().startsWith("-") ? entry.getKey() : entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(","));
  }

  private Future<RemotingCommand> update(RemotingCommand request, List<Wish> wishes) {
    if (wishes.isEmpty()) {
      return Future.succeededFuture(request.response(ResultCode.INVALID_PARAMETER, "the request names no topic"));
    }
    for (Wish wish : wishes) {
      Optional<String> fault = fault(wish);
      if (fault.isPresent()) {
        return Future.succeededFuture(request.response(ResultCode.INVALID_PARAMETER, fault.get()));
      }
    }
    Future<Optional<String>> done = Future.succeededFuture(Optional.empty());
    for (Wish wish : wishes) {
      done = done.compose(fault ->
          fault.isPresent() ? Future.succeededFuture(fault) : topics.update(wish.topic, wish.attributes));
    }
    return done.compose(fault -> fault.isPresent()
        ? Future.succeededFuture(request.response(ResultCode.SYSTEM_ERROR, fault.get()))
        : registered(request));
  }

  private Optional<String> fault(Wish wish) {
    TopicConfig topic = wish.topic;
    String name = Topics.topicFault(topic.name());
    if (name != null) {
      return Optional.of(name);
    }
    if (system.contains(topic.name())) {
      return Optional.of("topic " + topic.name() + " belongs to the broker itself");
    }
    if (!countable(topic.readQueues()) || !countable(topic.writeQueues())) {
      return Optional.of("topic " + topic.name() + " cannot have " + topic.readQueues() + " read and " + topic.writeQueues()
          + " write queues; 0 to " + MOST_QUEUES + " are possible");
    }
    if ((topic.perm() & ~ANY_PERM) != 0) {
      return Optional.of("perm " + topic.perm() + " is none; 4 is read, 2 write, 1 inherit, or their sum");
    }
    if (!FILTER_TYPES.contains(topic.filterType())) {
      return Optional.of("topicFilterType " + topic.filterType() + " is none of SINGLE_TAG, MULTI_TAG");
    }
    return wish.attributes.contains("message.type=MIXED")
        ? Optional.of("message.type=MIXED is not permitted on this broker")
        : Optional.empty();
  }

  private static boolean countable(int queues) {
    return queues >= 0 && queues <= MOST_QUEUES;
  }

  private Future<RemotingCommand> delete(RemotingCommand request) {
    String topic = request.requireText("topic");
    if (topic.isBlank()) {
      return Future.succeededFuture(request.response(ResultCode.INVALID_PARAMETER, "the topic name is empty"));
    }
    if (system.contains(topic)) {
      return Future.succeededFuture(
          request.response(ResultCode.INVALID_PARAMETER, "topic " + topic + " belongs to the broker itself and cannot be deleted"));
    }
    return topics.snapshot()
        .compose(all -> offsets.groupsOf(topic).compose(consumers -> deleteAll(withRetryTopics(topic, consumers, names(all)))))
        .compose(deleted -> registered(request));
  }

  private static Set<String> names(TopicsDelta all) {
    return all.changed().stream().map(TopicConfig::name).collect(Collectors.toSet());
  }

  /** A topic, and where groups that pop it have what they are to get again: also groups whose progress in it is not noted yet. */
  private Set<String> withRetryTopics(String topic, List<String> consumers, Set<String> all) {
    int around = Topics.popRetryOf(topic, "").length();
    Stream<String> newGroups = all.stream()
        .filter(name -> name.length() > around && name.startsWith(Topics.RETRY_PREFIX) && name.endsWith("_" + topic))
        .map(name -> name.substring(Topics.RETRY_PREFIX.length(), name.length() - topic.length() - 1))
        .filter(group -> groups.find(group).isPresent() && !isRetryOfLonger(topic, group, all));
    return Stream.concat(
        Stream.of(topic),
        Stream.concat(consumers.stream(), newGroups).filter(group -> !isRetryOfAnother(topic, group))
            .map(group -> Topics.popRetryOf(topic, group)))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The retry topic of group {@code a_b} and topic {@code c} has the same name as that of group {@code a} and topic {@code b_c}. */
  private boolean isRetryOfLonger(String topic, String group, Set<String> all) {
    for (int sign = group.indexOf('_'); sign >= 0; sign = group.indexOf('_', sign + 1)) {
      if (groups.find(group.substring(0, sign)).isPresent() && all.contains(group.substring(sign + 1) + "_" + topic)) {
        return true;
      }
    }
    return false;
  }

  /** The retry topic of group {@code a_b} has the same name as the one that group {@code a} has when it pops topic {@code b}. */
  private boolean isRetryOfAnother(String topic, String group) {
    return groups.find(group + "_" + topic).isPresent();
  }

  private Future<?> deleteAll(Set<String> names) {
    return Future.all(names.stream().map(name -> topics.delete(name).compose(deleted -> offsets.forgetTopic(name))).toList());
  }

  private Future<RemotingCommand> registered(RemotingCommand request) {
    return registration.registered(REGISTRATION_LIMIT_MS)
        .map(told -> told ? request.success() : request.success().remark("done, but no name server has taken it yet"));
  }
}
