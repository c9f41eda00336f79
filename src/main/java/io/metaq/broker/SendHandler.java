package io.metaq.broker;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.remoting.RecallHandle;
import io.metaq.codec.remoting.SendAnswers;
import io.metaq.codec.remoting.SendHeader;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.codec.remoting.UniqueKeys;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.PropertyNames;
import io.metaq.model.ResultCode;
import io.metaq.model.SysFlag;
import io.metaq.model.TimerMoments;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.metaq.net.InboundFrame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the sends: SEND_MESSAGE, SEND_MESSAGE_V2 and SEND_BATCH_MESSAGE (10, 310, 320). The usual send is checked and encoded straight
 * from the read buffer into the round's batch; sends that wait for a topic, or that go to a retry topic, take a copy and come back
 * here.
 */
@OwnedBy("its event loop")
final class SendHandler implements RequestHandler {
  private static final Logger log = LoggerFactory.getLogger(SendHandler.class);

  /** The one queue of half messages, and of those that wait for their time. */
  private static final int FIRST_QUEUE = 0;

  private static final byte[] NOTHING = {};
  private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);

  /** What the properties of a message that waits for its time may grow by before it is delivered. */
  private static final int TIMER_HEADROOM = 64;

  private final BrokerOptions options;
  private final Clock clock;
  private final LoopTopics topics;
  private final SendPipe pipe;
  private final PendingTopics pendingTopics;
  private final RetrySends retrySends;
  private final SendHeader header = new SendHeader();
  private final SendProperties properties = new SendProperties();
  private final RecordEncoder encoder;
  private final BatchBody batchBody;
  private final byte[] brokerProperties;
  private final UniqueKeys keys;

  SendHandler(
      BrokerOptions options, Clock clock, LoopTopics topics, SendPipe pipe, PendingTopics pendingTopics, RetrySends retrySends,
      UniqueKeys keys) {
    this.options = options;
    this.clock = clock;
    this.topics = topics;
    this.pipe = pipe;
    this.pendingTopics = pendingTopics;
    this.retrySends = retrySends;
    this.keys = keys;
    this.encoder = new RecordEncoder(options.storeHost());
    this.batchBody = new BatchBody();
    this.brokerProperties = brokerProperties(options);
  }

  @Override
  public void handle(Connection connection, InboundFrame frame) {
    header.read(frame.header(), frame.headerLength(), frame.type());
    TopicEntry topic = topics.find(header.text(), header.topicStart(), header.topicLength());
    if (topic == null || pendingTopics.holds(topic.name())) {
      sendToUnknownTopic(HeldRequest.copyOf(connection, frame));
    } else if (topic.retry()) {
      retrySends.send(HeldRequest.copyOf(connection, frame), this::sendRetry, this::refuse);
    } else {
      send(connection, frame.type(), topic, frame.body());
    }
    pipe.slowDown(connection);
  }

  private void sendToUnknownTopic(HeldRequest request) {
    String name = header.topic();
    String fault = Topics.topicFault(name);
    if (fault != null) {
      refuse(request, ResultCode.INVALID_PARAMETER, fault);
    } else if (Topics.closedToProducers(name)) {
      refuse(request, ResultCode.NO_PERMISSION, closed(name));
    } else if (Topics.isRetry(name)) {
      retrySends.send(request, this::sendRetry, this::refuse);
    } else {
      pendingTopics.park(name, header.defaultTopic(), header.defaultTopicQueues(), request, this::resume, this::refuse);
    }
  }

  /** The topic of a parked send is there. */
  private void resume(HeldRequest request, TopicEntry topic) {
    request.readInto(header);
    send(request.connection(), request.type(), topic, request.bodyBuffer());
  }

  /** The group of a send to its retry topic is known: {@code topic} is the retry topic, or the dead-letter topic. */
  private void sendRetry(HeldRequest request, TopicEntry topic, boolean dead) {
    request.readInto(header);
    if (header.batch()) {
      refuse(request, ResultCode.MESSAGE_ILLEGAL, "a batch cannot be sent to a retry topic");
      return;
    }
    sendSingle(request.connection(), request.type(), topic, request.bodyBuffer(), dead);
  }

  private void send(Connection connection, SerializeType type, TopicEntry topic, ByteBuffer body) {
    if (Topics.closedToProducers(topic.name())) {
      refuse(connection, type, ResultCode.NO_PERMISSION, closed(topic.name()));
    } else if (header.batch()) {
      sendBatch(connection, type, topic, body);
    } else {
      sendSingle(connection, type, topic, body, false);
    }
  }

  private void sendSingle(Connection connection, SerializeType type, TopicEntry topic, ByteBuffer body, boolean dead) {
    int queueId = dead ? 0 : queueOf(topic);
    properties.read(header.text(), header.propertiesStart(), header.propertiesLength());
    boolean half = !dead && isHalf();
    int level = dead || half ? 0 : delayLevel(connection, topic);
    if (refusedForTopic(connection, type, topic, queueId) || refusedForKind(connection, type, half)) {
      return;
    }
    TimerWish wish = dead || level > 0 || !properties.timer()
        ? TimerWish.AT_ONCE
        : TimerWish.of(properties, options.timers(), clock.millis());
    if (wish.refused()) {
      refuse(connection, type, wish.code(), wish.refusal());
      return;
    }
    if (body.remaining() > options.maxMessageBytes()) {
      refuse(connection, type, ResultCode.MESSAGE_ILLEGAL, bodyTooLong(body.remaining()));
      return;
    }
    TopicEntry target = topic;
    int targetQueue = queueId;
    String transactionId = null;
    if (half) {
      transactionId = beginTransaction();
      target = topics.find(Topics.HALF).orElseThrow();
      targetQueue = FIRST_QUEUE;
    } else if (level > 0) {
      target = topics.find(Topics.SCHEDULE).orElseThrow();
      targetQueue = level - 1;
      properties.withoutTimer();
    } else if (wish.waits()) {
      target = topics.find(Topics.TIMER).orElseThrow();
      targetQueue = FIRST_QUEUE;
      properties.append(PropertiesText.entry(PropertyNames.TIMER_OUT_MS, Long.toString(TimerMoments.written(wish.dueMs()))));
    }
    if (target != topic) {
      properties.append(PropertiesText.entry(PropertyNames.REAL_TOPIC, topic.name()));
      properties.append(PropertiesText.entry(PropertyNames.REAL_QID, Integer.toString(queueId)));
    }
    if (!half && !properties.hasUniqueKey()) {
      properties.append(PropertiesText.entry(PropertyNames.UNIQ_KEY, keys.next()));
    }
    properties.append(brokerProperties);
    int most = wish.waits() ? PropertiesText.MAX_BYTES - TIMER_HEADROOM : PropertiesText.MAX_BYTES;
    if (properties.length() > most) {
      refuse(connection, type, ResultCode.MESSAGE_ILLEGAL, propertiesTooLong(properties.length(), most));
      return;
    }
    encoder
        .topic(target.nameBytes(), 0, target.nameBytes().length)
        .properties(properties.text(), 0, properties.length())
        .body(body)
        .born(connection.remoteBytes(), header.bornTimestamp())
        .message(targetQueue, header.flag(), header.sysFlag() & ~SysFlag.TRANSACTION_MASK, header.reconsumeTimes(), 0);
    int size = encoder.size();
    SendRound round = pipe.reserve(size);
    encoder.writeTo(round.batch().bytes(), round.batch().end());
    int index = round.batch().add(target.queue(targetQueue), size);
    answerLater(round, index, connection, type, queueId, properties.waits());
    if (half && !header.oneway()) {
      round.extra(index, new SendAnswers.Extra(SendAnswers.Field.TRANSACTION_ID, transactionId));
    } else if (!half && wish.waits() && !topic.retry() && !header.oneway()) {
      round.extra(index, new SendAnswers.Extra(SendAnswers.Field.RECALL_HANDLE, recallHandle(topic, wish)));
    }
  }

  /** What the message can be taken back with, while it waits. */
  private String recallHandle(TopicEntry topic, TimerWish wish) {
    long dueMs = TimerMoments.written(wish.dueMs()) + 1;
    return new RecallHandle(topic.name(), options.brokerName(), dueMs, properties.uniqueKey()).text();
  }

  /** A message that comes back for a retry after a delay is none, even when old clients leave the mark on it. */
  private boolean isHalf() {
    return properties.half() && !(header.reconsumeTimes() > 0 && properties.delay() != null);
  }

  /** Gives the half message the name of its transaction, which is its unique key. */
  private String beginTransaction() {
    String key = properties.forHalfMessage();
    if (key.isEmpty()) {
      key = keys.next();
      properties.append(PropertiesText.entry(PropertyNames.UNIQ_KEY, key));
    }
    properties.append(PropertiesText.entry(PropertyNames.TRANSACTION_ID, key));
    return key;
  }

  private void sendBatch(Connection connection, SerializeType type, TopicEntry topic, ByteBuffer body) {
    int queueId = queueOf(topic);
    properties.read(header.text(), header.propertiesStart(), header.propertiesLength());
    boolean waits = properties.waits();
    if (refusedForTopic(connection, type, topic, queueId) || refusedForKind(connection, type, false)) {
      return;
    }
    if (body.remaining() > options.maxMessageBytes()) {
      refuse(connection, type, ResultCode.MESSAGE_ILLEGAL, bodyTooLong(body.remaining()));
      return;
    }
    String fault = batchFault(topic, body);
    if (fault != null) {
      refuse(connection, type, ResultCode.MESSAGE_ILLEGAL, fault);
      return;
    }
    SendRound round = pipe.reserve(batchBody.contentBytes(body) + batchBody.count() * innerOverhead(connection, topic));
    int first = round.batch().count();
    for (boolean more = batchBody.first(body); more; more = batchBody.next()) {
      properties.look(batchBody.properties(), 0, batchBody.propertiesLength());
      if (properties.half() || properties.timer() || properties.delay() != null) {
        round.batch().takeBack(first);
        refuse(connection, type, ResultCode.MESSAGE_ILLEGAL, "the messages of a batch can be neither delayed nor part of a transaction");
        return;
      }
      int size = inner(connection, topic, queueId).writeTo(round.batch().bytes(), round.batch().end());
      round.batch().add(topic.queue(queueId), size);
    }
    round.batch().unit(first);
    answerLater(round, first, connection, type, queueId, waits);
  }

  private RecordEncoder inner(Connection connection, TopicEntry topic, int queueId) {
    return encoder
        .topic(topic.nameBytes(), 0, topic.nameBytes().length)
        .properties(batchBody.properties(), 0, batchBody.propertiesLength())
        .body(batchBody.body())
        .born(connection.remoteBytes(), header.bornTimestamp())
        .message(queueId, batchBody.flag(), header.sysFlag(), header.reconsumeTimes(), 0);
  }

  /** Bytes of the record of a message of a batch that has neither body nor properties. */
  private int innerOverhead(Connection connection, TopicEntry topic) {
    return encoder
        .topic(topic.nameBytes(), 0, topic.nameBytes().length)
        .properties(NOTHING, 0, 0)
        .body(NO_BODY)
        .born(connection.remoteBytes(), header.bornTimestamp())
        .message(0, 0, header.sysFlag(), 0, 0)
        .size();
  }

  /** What is wrong with a batch as a whole or with the form of its messages, null when nothing is. */
  private String batchFault(TopicEntry topic, ByteBuffer body) {
    if (topic.nameBytes().length > Topics.MAX_TOPIC_LENGTH) {
      return "a batch cannot be sent to a topic of more than " + Topics.MAX_TOPIC_LENGTH + " characters";
    }
    if ((header.sysFlag() & SysFlag.COMPRESSED) != 0) {
      return "a batch must not be compressed as a whole";
    }
    if (properties.half()) {
      return "a batch cannot be part of a transaction";
    }
    if (properties.delay() != null || properties.timer()) {
      return "the messages of a batch cannot be delayed";
    }
    return batchBody.check(body);
  }

  private int queueOf(TopicEntry topic) {
    int wanted = header.queueId();
    return wanted >= 0 ? wanted : ThreadLocalRandom.current().nextInt(Math.max(1, topic.config().writeQueues()));
  }

  private boolean refusedForTopic(Connection connection, SerializeType type, TopicEntry topic, int queueId) {
    int queues = Math.max(topic.config().readQueues(), topic.config().writeQueues());
    if (queueId >= queues) {
      refuse(
          connection, type, ResultCode.INVALID_PARAMETER,
          "queue " + queueId + " does not exist: topic " + topic.name() + " has " + queues + " queues on broker " + options.brokerName());
      return true;
    }
    if (!Perm.writable(options.permission()) || !topic.writable()) {
      String who = topic.writable() ? "broker " + options.brokerName() : "topic " + topic.name();
      refuse(connection, type, ResultCode.NO_PERMISSION, who + " does not accept messages: its permission has no write bit");
      return true;
    }
    return false;
  }

  /** Refuses clearly what cannot be stored as what it is meant, so that it is never stored as an ordinary message. */
  private boolean refusedForKind(Connection connection, SerializeType type, boolean half) {
    if (half && options.rejectTransactions()) {
      refuse(connection, type, ResultCode.NO_PERMISSION, "this broker does not accept transactional messages (rejectTransactionMessage)");
      return true;
    }
    if (!properties.half() && (header.sysFlag() & SysFlag.TRANSACTION_MASK) != 0) {
      refuse(
          connection, type, ResultCode.MESSAGE_ILLEGAL,
          "the system flag says that the message is part of a transaction, but its property TRAN_MSG does not");
      return true;
    }
    return false;
  }

  private int delayLevel(Connection connection, TopicEntry topic) {
    if (properties.delay() == null) {
      return 0;
    }
    try {
      return Math.min(Math.max(Integer.parseInt(properties.delay().trim()), 0), options.maxDelayLevel());
    } catch (NumberFormatException notANumber) {
      log.warn(
          "a delay level is not a number, the message is delivered at once level={} topic={} remote={}",
          properties.delay(), topic.name(), connection.remote());
      return 0;
    }
  }

  private void answerLater(SendRound round, int index, Connection connection, SerializeType type, int queueId, boolean waits) {
    if (!header.oneway()) {
      round.client(index, connection, header.opaque(), type, queueId, options.acknowledgesLater() && waits);
    }
  }

  /** Refuses the send that {@link #header} holds. */
  private void refuse(Connection connection, SerializeType type, ResultCode code, String reason) {
    if (!header.oneway()) {
      pipe.refuse(connection, header.opaque(), type, code, reason);
    }
  }

  private void refuse(HeldRequest request, ResultCode code, String reason) {
    request.readInto(header);
    refuse(request.connection(), request.type(), code, reason);
  }

  private static String closed(String topic) {
    return "topic " + topic + " belongs to the broker and takes no messages from clients";
  }

  private String bodyTooLong(int bytes) {
    return "the body has " + bytes + " bytes, at most " + options.maxMessageBytes() + " are allowed (maxMessageSize)";
  }

  private static String propertiesTooLong(int bytes, int most) {
    return "the properties take " + bytes + " bytes as stored, the broker's own included; at most " + most + " are allowed";
  }

  private static byte[] brokerProperties(BrokerOptions options) {
    String text =
        entryText(PropertyNames.MSG_REGION, options.region())
            + entryText(PropertyNames.TRACE_ON, Boolean.toString(options.traceOn()))
            + entryText(PropertyNames.CLUSTER, options.clusterName());
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String entryText(String name, String value) {
    return new String(PropertiesText.entry(name, value), StandardCharsets.UTF_8);
  }
}
