package io.metaq.broker;

import io.metaq.codec.pop.PopHandle;
import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.coordinator.api.PopRequest.Kind;
import io.metaq.coordinator.api.PoppedQueue;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.RecordFilter;
import io.metaq.model.ResultCode;
import io.metaq.model.Subscription;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.metaq.net.InboundFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves POP_MESSAGE, PEEK_MESSAGE and NOTIFICATION (200050, 200052, 200054): checks them, hands them to the coordinator of pops,
 * and writes what it answers. Checks, their order and their codes are those of RocketMQ; what RocketMQ takes for granted is
 * checked, too.
 */
@OwnedBy("its event loop")
final class PopHandler implements RequestHandler {
  static final int MAX_MESSAGES = 32;

  /** A request that is older than its own waiting time by more than this is not looked at. */
  private static final long OVERDUE_MS = 500;

  private final BrokerOptions options;
  private final PopOptions pops;
  private final LoopTopics topics;
  private final LoopGroups groups;
  private final Filters filters;
  private final GroupsProxy groupCoordinator;
  private final PopPipe pipe;
  private final Clock clock;
  private final LoopFigures figures;
  private final RetriedMessages retried;
  private final ByteSink sink = new ByteSink(1024);

  PopHandler(
      BrokerOptions options, PopOptions pops, LoopTopics topics, LoopGroups groups, Filters filters, GroupsProxy groupCoordinator,
      PopPipe pipe, Clock clock, LoopFigures figures) {
    this.options = options;
    this.pops = pops;
    this.topics = topics;
    this.groups = groups;
    this.filters = filters;
    this.groupCoordinator = groupCoordinator;
    this.pipe = pipe;
    this.clock = clock;
    this.figures = figures;
    this.retried = new RetriedMessages(options.brokerName());
  }

  @Override
  public void handle(Connection connection, InboundFrame frame) {
    PopWish wish = PopWish.of(frame.command(), clock.millis());
    Optional<Fault> fault = faultOfNumbers(wish).or(() -> faultOfTopic(wish));
    if (fault.isPresent()) {
      refuse(connection, wish, fault.get());
    } else if (groups.find(wish.group()).isPresent()) {
      serve(connection, wish);
    } else {
      groupCoordinator.ensure(wish.group())
          .onSuccess(made -> serve(connection, wish))
          .onFailure(failure -> refuse(connection, wish, new Fault(ResultCode.SYSTEM_ERROR, failure.getMessage())));
    }
  }

  private Optional<Fault> faultOfNumbers(PopWish wish) {
    if (wish.kind() == Kind.POP && clock.millis() - wish.bornMs() - wish.pollMs() > OVERDUE_MS) {
      return fault(ResultCode.POLLING_TIMEOUT, "the pop is older than it may wait: bornTime=" + wish.bornMs() + " pollTime="
          + wish.pollMs()
          + "; the clocks of client and broker may differ");
    }
    if (!Perm.readable(options.permission())) {
      return fault(ResultCode.NO_PERMISSION, "broker " + options.brokerName() + " may not be read: its permission has no read bit");
    }
    if (wish.maxMessages() < 1 || wish.maxMessages() > MAX_MESSAGES) {
      return fault(ResultCode.INVALID_PARAMETER, "maxMsgNums=" + wish.maxMessages() + " is not from 1 to " + MAX_MESSAGES);
    }
    if (wish.kind() == Kind.POP && (wish.invisibleMs() < 1 || wish.invisibleMs() > pops.maxInvisibleMs())) {
      return fault(ResultCode.INVALID_PARAMETER,
          "invisibleTime=" + wish.invisibleMs() + " is not from 1 to " + pops.maxInvisibleMs() + " ms (timerMaxDelaySec)");
    }
    return Optional.empty();
  }

  private Optional<Fault> faultOfTopic(PopWish wish) {
    TopicEntry topic = topics.find(wish.topic()).orElse(null);
    if (topic == null) {
      return fault(ResultCode.TOPIC_NOT_EXIST, "topic " + wish.topic() + " does not exist on broker " + options.brokerName());
    }
    if (!topic.readable()) {
      return fault(ResultCode.NO_PERMISSION, "topic " + topic.name() + " may not be read: its permission has no read bit");
    }
    int queues = topic.config().readQueues();
    return wish.queueId() < queues ? Optional.empty() : fault(ResultCode.INVALID_PARAMETER,
        "queue " + wish.queueId() + " does not exist: topic " + topic.name() + " has " + queues + " queues to read");
  }

  /** The group is known by now if it may exist at all. */
  private void serve(Connection connection, PopWish wish) {
    Optional<GroupSnapshot> group = groups.find(wish.group());
    if (group.isEmpty()) {
      refuse(connection, wish,
          new Fault(ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumer group " + wish.group() + " does not exist"));
    } else if (!group.get().config().consumeEnabled()) {
      refuse(connection, wish, new Fault(ResultCode.NO_PERMISSION, "consumption of group " + wish.group() + " is switched off"));
    } else {
      Optional<Fault> noFilter = faultOfExpression(wish);
      noFilter.ifPresentOrElse(fault -> refuse(connection, wish, fault), () -> ask(connection, wish));
    }
  }

  private Optional<Fault> faultOfExpression(PopWish wish) {
    if (isTag(wish)) {
      return Optional.empty();
    }
    Filters.Verdict verdict = filters.compile(wish.expressionType(), wish.expression());
    if (verdict.selection().isEmpty()) {
      return fault(ResultCode.SUBSCRIPTION_PARSE_FAILED, verdict.fault());
    }
    return filters.enabled() ? Optional.empty() : fault(ResultCode.SYSTEM_ERROR, Filters.disabledReason());
  }

  private static boolean isTag(PopWish wish) {
    return wish.expression().isEmpty() || wish.expressionType().isEmpty() || wish.expressionType().equals(Subscription.TAG);
  }

  private Supplier<? extends RecordFilter> filter(PopWish wish) {
    if (isTag(wish)) {
      RecordFilter tags = Subscription.ofTags(wish.topic(), wish.expression(), 0)::admits;
      return () -> tags;
    }
    return filters.compile(wish.expressionType(), wish.expression()).selection().orElseThrow();
  }

  /** Its topic may have been deleted while its group was made. */
  private void ask(Connection connection, PopWish wish) {
    Optional<Fault> gone = faultOfTopic(wish);
    if (gone.isPresent()) {
      refuse(connection, wish, gone.get());
      return;
    }
    int readQueues = topics.find(wish.topic()).orElseThrow().config().readQueues();
    int retryQueues = topics.find(Topics.popRetryOf(wish.topic(), wish.group())).map(retry -> retry.config().readQueues())
        .orElse(0);
    long nowMs = clock.millis();
    long holdMs = Math.min(wish.pollMs(), wish.bornMs() + wish.pollMs() - nowMs);
    int queueId = Math.max(PopRequest.ANY_QUEUE, wish.queueId());
    pipe.ask(
        connection,
        (loop, ticket) -> new PopRequest(
            loop, connection.id(), ticket, wish.kind(), wish.group(), wish.topic(), queueId, readQueues, retryQueues,
                wish.maxMessages(),
            wish.invisibleMs(), holdMs > 0 ? nowMs + holdMs : 0, wish.fromFirst(), filter(wish), wish.ordered(), wish.attemptId()),
        new PopPipe.Taker() {
          @Override
          public void answered(PopAnswer answer) {
            write(connection, wish, answer);
          }

          @Override
          public void failed(String reason) {
            refuse(connection, wish, new Fault(ResultCode.SYSTEM_ERROR, reason));
          }
        });
  }

  private void write(Connection connection, PopWish wish, PopAnswer answer) {
    if (wish.kind() == Kind.NOTICE) {
      notice(connection, wish, answer);
      return;
    }
    RemotingCommand head = wish.request().response(answer.code(), answer.remark())
        .ext("popTime", answer.popTimeMs())
        .ext("invisibleTime", answer.invisibleMs())
        .ext("reviveQid", answer.reviveQueueId())
        .ext("restNum", answer.rest());
    if (answer.queues().isEmpty()) {
      figures.add(Figure.PULLS_EMPTY, 1);
      connection.write(head);
    } else {
      figures.add(Figure.PULLS_FOUND, 1);
      found(connection, wish, answer, head);
    }
  }

  private void notice(Connection connection, PopWish wish, PopAnswer answer) {
    boolean full = answer.code() == ResultCode.POLLING_FULL;
    ResultCode code = full ? ResultCode.SUCCESS : answer.code();
    connection.write(
        wish.request().response(code, answer.remark()).ext("hasMsg", code == ResultCode.SUCCESS && answer.rest() > 0)
            .ext("pollingFull", full));
  }

  private void found(Connection connection, PopWish wish, PopAnswer answer, RemotingCommand head) {
    PopAnswerText text = new PopAnswerText();
    List<byte[]> rewritten = new ArrayList<>(1);
    int bytes = 0;
    int messages = 0;
    Deque<PoppedQueue> unread = new ArrayDeque<>(answer.queues());
    Deque<PoppedQueue> shared = new ArrayDeque<>(1);
    try {
      while (!unread.isEmpty()) {
        PoppedQueue queue = unread.poll();
        text.add(queue);
        messages += queue.queueOffsets().length;
        if (queue.retry()) {
          PopHandle handle = new PopHandle(queue.startOffset(), answer.popTimeMs(), answer.invisibleMs(), answer.reviveQueueId());
          rewritten.add(retried.rewrite(wish.topic(), handle, queue));
          bytes += rewritten.get(rewritten.size() - 1).length;
        } else {
          shared.add(queue);
          bytes += queue.bytes();
        }
      }
      head.ext("startOffsetInfo", text.startOffsets()).ext("msgOffsetInfo", text.messageOffsets());
      if (wish.ordered()) {
        head.ext("orderCountInfo", answer.orderCounts());
      }
      sink.clear();
      HeaderCodec.encodeHead(head, bytes, sink);
      connection.write(sink.array(), 0, sink.length());
      int nextRewritten = 0;
      for (PoppedQueue queue : answer.queues()) {
        if (queue.retry()) {
          byte[] records = rewritten.get(nextRewritten++);
          connection.write(records, 0, records.length);
        } else {
          connection.writeShared(shared.poll().records());
        }
      }
    } catch (RuntimeException | Error failure) {
      unread.forEach(PoppedQueue::release);
      shared.forEach(PoppedQueue::release);
      throw failure;
    }
    figures.add(Figure.MESSAGES_READ, messages);
    figures.add(Figure.BYTES_READ, bytes);
    count(wish, messages, bytes);
  }

  /** Messages of a retry topic count for the topic that was asked for. */
  private void count(PopWish wish, int messages, int bytes) {
    topics.find(wish.topic()).ifPresent(topic -> topic.readBy(wish.group(), figures.tallies()).add(messages, bytes));
  }

  private static Optional<Fault> fault(ResultCode code, String remark) {
    return Optional.of(new Fault(code, remark));
  }

  private static void refuse(Connection connection, PopWish wish, Fault fault) {
    if (!wish.oneway()) {
      connection.write(wish.request().response(fault.code(), fault.remark()));
    }
  }
}
