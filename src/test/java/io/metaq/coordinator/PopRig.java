package io.metaq.coordinator;

import io.metaq.HandClock;
import io.metaq.bus.AppendBatch;
import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.record.RecordReader;
import io.metaq.codec.record.StoredMessage;
import io.metaq.coordinator.api.GroupPlace;
import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.coordinator.api.PopRequest.Kind;
import io.metaq.coordinator.api.PoppedQueue;
import io.metaq.coordinator.api.SettleOutcome;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.model.AppendStatus;
import io.metaq.model.RecordFilter;
import io.metaq.model.QueueHandle;
import io.metaq.model.SharedBytes;
import io.metaq.store.MessageStore;
import io.metaq.store.StoreOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** {@link Pops} over a real store, without verticles: with a clock that is moved by hand, and ends of the process at will. */
final class PopRig implements PopOutside, AutoCloseable {
  static final String GROUP = "workers";
  static final String TOPIC = "orders";
  static final String RETRY = "%RETRY%workers_orders";
  static final String REVIVE = "rmq_sys_REVIVE_LOG_c1";
  static final int REVIVE_QUEUES = 2;
  static final int READ_QUEUES = 2;
  static final long INVISIBLE_MS = 60_000;
  private static final byte[] HOST = {127, 0, 0, 1, 0, 0, 0x2A, (byte) 0x9F};
  /** More rounds than any test needs: what never ends is found. */
  private static final int MOST_ROUNDS = 1_000;

  final HandClock clock = new HandClock();
  final List<PopAnswer> answers = new ArrayList<>();
  final Map<String, Long> committed = new HashMap<>();
  final Map<String, Long> moves = new HashMap<>();
  final Set<String> watched = new HashSet<>();
  final Set<String> topics = new HashSet<>();
  final List<String> adopted = new ArrayList<>();
  /** Runs once, when the next look at a queue is over and before anything follows from it: others go on meanwhile. */
  Runnable afterLook = () -> {};
  /** Looks at queues so far. */
  int looks;
  /** Refuses what is appended while set. */
  AppendStatus refusal;
  PopRules rules = rules(100, false);
  Pops pops;

  private final AppendBatch sent = new AppendBatch(0);
  private final MessageStore store;
  private OrderFile orderFile = new OrderFile(Map.of());
  private final ArrayDeque<QueueHandle> arrivals = new ArrayDeque<>();
  private long nextTicket;

  PopRig(Path folder) {
    store = MessageStore.open(StoreOptions.of(folder).withSizes(4 << 20, 4_000, 100, 400), clock, line -> {});
    begin();
  }

  static PopRules rules(int maxCheckpoints, boolean syncFlush) {
    return new PopRules("b1", REVIVE, REVIVE_QUEUES, 2, 3, 20, maxCheckpoints, 256 << 10, syncFlush);
  }

  /** So many may wait. */
  static PopRules roomy(int waiting) {
    return new PopRules("b1", REVIVE, REVIVE_QUEUES, waiting, waiting, 20, 100, 256 << 10, false);
  }

  /** A new process over the same log; of progress it has what was saved. */
  void restart() {
    begin();
  }

  /** As {@link #restart} after progress, and where ordered pops stand, were saved. */
  void saveAndRestart() {
    OrderFile changed = pops.ordered().takeChanged();
    orderFile = changed == null ? orderFile : changed;
    for (int queueId = 0; queueId < REVIVE_QUEUES; queueId++) {
      ReviveQueue queue = pops.inFlight().reviveQueues().get(queueId);
      queue.unpin(queue.end());
      committed.put(PopRules.REVIVE_GROUP + "/" + REVIVE + "/" + queueId, queue.first() - 1);
    }
    begin();
  }

  private void begin() {
    pops = new Pops(watchedLog(), rules, 1, HOST, clock, new SplittableRandom(7), this);
    orderFile.forEach((group, topic, queueId, block) -> pops.table().queue(group, topic, queueId).block(block));
    arrivals.clear();
    PopRecovery recovery = recovery();
    for (int queueId = 0; queueId < REVIVE_QUEUES; queueId++) {
      recovery.run(queueId, committed.getOrDefault(PopRules.REVIVE_GROUP + "/" + REVIVE + "/" + queueId, -1L));
    }
  }

  private PopLog watchedLog() {
    PopLog log = new StoredPops(store.view());
    return (PopLog) Proxy.newProxyInstance(PopLog.class.getClassLoader(), new Class<?>[] {PopLog.class}, (proxy, method, arguments) -> {
      Object answer;
      try {
        answer = method.invoke(log, arguments);
      } catch (InvocationTargetException failed) {
        throw failed.getCause();
      }
      if (method.getName().equals("get")) {
        looks++;
        Runnable others = afterLook;
        afterLook = () -> {};
        others.run();
      }
      return answer;
    });
  }

  PopRecovery recovery() {
    return new PopRecovery(new StoredPops(store.view()), pops.table(), pops.inFlight(), REVIVE, clock);
  }

  /** Stores a message. */
  void send(int queueId, String body) {
    send(TOPIC, queueId, body, Map.of("TAGS", "a"));
  }

  void send(String topic, int queueId, String body, Map<String, String> properties) {
    sent.clear();
    byte[] name = topic.getBytes(StandardCharsets.UTF_8);
    byte[] text = PropertiesText.encode(properties);
    RecordEncoder encoder = new RecordEncoder(HOST)
        .topic(name, 0, name.length)
        .properties(text, 0, text.length)
        .body(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)))
        .born(HOST, clock.millis())
        .message(queueId, 5, 0, 0, 0);
    sent.reserve(encoder.size());
    encoder.writeTo(sent.bytes(), sent.end());
    sent.add(new QueueHandle(topic, queueId), encoder.size());
    store.log().append(sent);
    dispatch();
    if (watched.remove(topic + "/" + queueId)) {
      arrivals.add(new QueueHandle(topic, queueId));
    }
  }

  /** What the dispatcher has told comes with the next round. */
  private void hear() {
    while (!arrivals.isEmpty()) {
      QueueHandle queue = arrivals.poll();
      pops.arrived(queue.topic(), queue.queueId());
    }
  }

  private void dispatch() {
    while (store.dispatcher().dispatch(1 << 20, (topic, queueId, maxOffset) -> {})) {
      // each call makes progress
    }
  }

  /** Somebody puts the group elsewhere, and its progress says so. */
  void move(int queueId, long next) {
    move(TOPIC, queueId, next);
  }

  void move(String topic, int queueId, long next) {
    String key = GROUP + "/" + topic + "/" + queueId;
    committed.put(key, next);
    moves.merge(key, clock.millis(), (before, nowMs) -> Math.max(before + 1, nowMs));
    pops.moved(new GroupPlace(GROUP, topic, queueId, next, moves.get(key)));
  }

  /** Everything there is to do, until nothing is left. */
  void run() {
    int rounds = 0;
    boolean more = true;
    while (more) {
      if (++rounds > MOST_ROUNDS) {
        throw new AssertionError("it never ends");
      }
      hear();
      more = pops.fill();
      if (pops.batch().count() > 0) {
        round();
        more |= refusal == null;
      }
      more |= !arrivals.isEmpty();
    }
  }

  /** One round, whatever is left to do. */
  void runOnce() {
    hear();
    pops.fill();
    round();
  }

  /** What was collected is stored, or refused. */
  void round() {
    AppendBatch batch = pops.batch();
    if (refusal == null) {
      store.log().append(batch);
      dispatch();
    } else {
      batch.refuseRest(refusal, "not now");
    }
    for (int i = 0; i < batch.count(); i++) {
      QueueHandle queue = batch.queue(i);
      if (refusal == null && watched.remove(queue.topic() + "/" + queue.queueId())) {
        arrivals.add(queue);
      }
    }
    pops.settle();
    if (!rules.syncFlush()) {
      pops.flushed(store.log().appendedOffset());
    }
  }

  /** Time goes by and what is due is done. */
  void pass(long ms) {
    clock.advance(ms);
    pops.tick();
    run();
  }

  /** What a pop of any queue gets at once. */
  PopAnswer pop(int max) {
    return ask(request(PopRequest.ANY_QUEUE, max, 0, false, ""));
  }

  PopAnswer popInOrder(int max, String attemptId) {
    return ask(request(PopRequest.ANY_QUEUE, max, 0, true, attemptId));
  }

  /** The answer; null when there is none yet. */
  PopAnswer ask(PopRequest request) {
    pops.add(request);
    run();
    return answerTo(request);
  }

  PopAnswer answerTo(PopRequest request) {
    return answers.stream().filter(answer -> answer.ticket() == request.ticket()).findFirst().orElse(null);
  }

  PopRequest request(int queueId, int max, long holdMs, boolean ordered, String attemptId) {
    return request(queueId, READ_QUEUES, max, holdMs, ordered, attemptId);
  }

  PopRequest request(int queueId, int readQueues, int max, long holdMs, boolean ordered, String attemptId) {
    return new PopRequest(
        0, 1, nextTicket++, Kind.POP, GROUP, TOPIC, queueId, readQueues, 0, max, INVISIBLE_MS, until(holdMs),
        true, () -> tagsCode -> tagsCode == "a".hashCode(), ordered, attemptId);
  }

  PopRequest look(Kind kind, long holdMs) {
    return look(kind, holdMs, tagsCode -> true);
  }

  PopRequest look(Kind kind, long holdMs, RecordFilter filter) {
    return new PopRequest(
        0, 1, nextTicket++, kind, GROUP, TOPIC, PopRequest.ANY_QUEUE, READ_QUEUES, 0, 32, 0, until(holdMs), true,
        () -> filter, false, "");
  }

  private long until(long holdMs) {
    return holdMs == 0 ? 0 : clock.millis() + holdMs;
  }

  /** A message as a client gets it. */
  record Given(String body, String topic, int queueId, long startOffset, long popTimeMs, int reviveQueueId, long queueOffset,
      int attempts) {
    SettleRequest ack() {
      return settle(SettleRequest.ACK, false);
    }

    SettleRequest stayInvisible(long ms) {
      return settle(ms, false);
    }

    SettleRequest settle(long invisibleMs, boolean suspended) {
      return new SettleRequest(
          GROUP, topic, queueId, startOffset, popTimeMs, reviveQueueId, new long[] {queueOffset}, invisibleMs, suspended);
    }
  }

  /** Takes an answer apart and gives its records back. */
  static List<Given> given(PopAnswer answer) {
    List<Given> given = new ArrayList<>();
    for (PoppedQueue queue : answer.queues()) {
      int index = 0;
      for (SharedBytes part : queue.records()) {
        int at = 0;
        while (at < part.bytes().capacity()) {
          StoredMessage message = StoredMessage.of(new RecordReader().wrap(part.bytes(), at));
          given.add(new Given(
              new String(message.body(), StandardCharsets.UTF_8), message.topic(), queue.queueId(), queue.startOffset(),
                  answer.popTimeMs(),
              answer.reviveQueueId(), queue.queueOffsets()[index++], message.reconsumeTimes()));
          at += message.size();
        }
      }
    }
    answer.release();
    return given;
  }

  List<Given> popped(int max) {
    return given(pop(max));
  }

  static List<String> bodies(PopAnswer answer) {
    return given(answer).stream().map(Given::body).toList();
  }

  /** What becomes of these, said in one message. */
  List<SettleOutcome> settle(SettleRequest... requests) {
    List<SettleOutcome> outcomes = new ArrayList<>();
    pops.add(List.of(requests), outcomes::addAll);
    run();
    return outcomes;
  }

  long maxOffset(String topic, int queueId) {
    return store.view().maxOffset(topic, queueId);
  }

  /** All records of a queue. */
  List<StoredMessage> queue(String topic, int queueId) {
    List<StoredMessage> messages = new ArrayList<>();
    new StoredPops(store.view()).forEach(topic, queueId, 0, store.view().maxOffset(topic, queueId),
        (queueOffset, record) -> messages.add(StoredMessage.decode(record.orElseThrow().bytes(), 0)));
    return messages;
  }

  /** The bodies of all records of the revive log with a tag. */
  List<String> reviveLog(String tag) {
    List<String> bodies = new ArrayList<>();
    for (int queueId = 0; queueId < REVIVE_QUEUES; queueId++) {
      queue(REVIVE, queueId).stream().filter(message -> message.property("TAGS").equals(tag))
          .forEach(message -> bodies.add(new String(message.body(), StandardCharsets.UTF_8)));
    }
    return bodies;
  }

  @Override
  public void answer(int loop, PopAnswer answer) {
    answers.add(answer);
  }

  @Override
  public void commit(GroupPlace place) {
    committed.put(place.group() + "/" + place.topic() + "/" + place.queueId(), place.next());
  }

  @Override
  public void adopted(PopQueue queue) {
    adopted.add(queue + " " + queue.next());
  }

  /** As the dispatcher does, it tells at once when there is something already. */
  @Override
  public void watch(String topic, int queueId, long queueOffset) {
    if (store.view().maxOffset(topic, queueId) > queueOffset) {
      arrivals.add(new QueueHandle(topic, queueId));
    } else {
      watched.add(topic + "/" + queueId);
    }
  }

  @Override
  public void ensureTopic(String retryTopic) {
    topics.add(retryTopic);
    pops.topicIsThere(retryTopic);
  }

  @Override
  public void follow(String group) {
    List<GroupPlace> progress = new ArrayList<>();
    committed.forEach((key, next) -> {
      String[] names = key.split("/");
      if (names[0].equals(group)) {
        progress.add(new GroupPlace(group, names[1], Integer.parseInt(names[2]), next, moves.getOrDefault(key, 0L)));
      }
    });
    pops.learn(group, progress);
  }

  @Override
  public void close() {
    store.close();
  }
}
