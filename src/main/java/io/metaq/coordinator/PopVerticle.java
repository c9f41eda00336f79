package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.Arrivals;
import io.metaq.bus.BusAddress;
import io.metaq.bus.FlushNudge;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.bus.Watches;
import io.metaq.bus.Watermark;
import io.metaq.coordinator.api.GroupPlace;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.PopAnswer;
import io.metaq.coordinator.api.PopProxy;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.coordinator.api.ResetSettled;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.TopicConfig;
import io.metaq.store.StoreView;
import io.metaq.store.service.CommitLogProxy;
import io.metaq.store.service.DispatchProxy;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns pop consumption: who gets which message, what is in flight and when it becomes visible again, and who waits. One batch is
 * with the log's writer at a time; under load it holds what has come in meanwhile. What is in flight lives in the revive log, from
 * which a start reads it; how far that need be read is kept among the consumers' progress. It watches queues as one loop more than
 * there are. WORKER x1, pool {@code metaq-pop}, because it reads records that may be cold; deployed after the store's services and
 * the other coordinators, on a master only.
 */
@OwnedBy("itself")
public final class PopVerticle extends VerticleBase {
  /** How often it is looked whose time is up. */
  private static final long TICK_MS = 50;
  private static final long NOTE_MS = 1_000;
  /** RocketMQ's, for the same file. */
  private static final long SAVE_ORDER_MS = 10_000;
  private static final int RETRY_QUEUES = 1;

  private static final Logger log = LoggerFactory.getLogger(PopVerticle.class);

  private final PopLog store;
  private final PopRules rules;
  private final int watcher;
  private final int sender;
  private final byte[] storeHost;
  private final Clock clock;
  private final RandomGenerator random;
  private final LongSupplier flushedOffset;
  private final Outside outside;

  private OffsetsProxy offsets;
  private TopicsProxy topics;
  private CommitLogProxy commitLog;
  private DispatchProxy dispatcher;
  private ConfigProxy config;
  private Pops pops;
  private PopRecovery recovery;
  private long[] notedRevive;
  private boolean inFlight;
  private boolean more;
  private NextTurn nextTurn;
  private Promise<Void> stopping;

  /**
   * @param watcher its number among those that watch queues: that of the loops
   * @param sender its number among the senders of the commit log; no other has it
   * @param storeHost the broker's advertised address as a record has it: 4 or 16 bytes of IP, then the port as i32
   * @param flushedOffset up to where the log is on disk, as it is published
   */
  public PopVerticle(
      StoreView store, PopRules rules, int watcher, int sender, byte[] storeHost, Clock clock, RandomGenerator random,
      LongSupplier flushedOffset) {
    this.store = new StoredPops(store);
    this.rules = rules;
    this.watcher = watcher;
    this.sender = sender;
    this.storeHost = storeHost.clone();
    this.clock = clock;
    this.random = random;
    this.flushedOffset = flushedOffset;
    outside = new Outside(watcher);
  }

  @Override
  public Future<?> start() {
    nextTurn = new NextTurn(context, this::work);
    offsets = new OffsetsProxy(vertx);
    topics = new TopicsProxy(vertx);
    commitLog = new CommitLogProxy(vertx);
    dispatcher = new DispatchProxy(vertx);
    config = new ConfigProxy(vertx);
    pops = new Pops(store, rules, sender, storeHost, clock, random, outside);
    recovery = new PopRecovery(store, pops.table(), pops.inFlight(), rules.reviveTopic(), clock);
    return config.load(OrderFile.FORMAT)
        .compose(stored -> {
          stored.ifPresent(file -> file.forEach(
              (group, topic, queueId, block) -> pops.table().queue(group, topic, queueId).block(block)));
          return offsets.progressOf(PopRules.REVIVE_GROUP);
        })
        .compose(progress -> begin(progress.getOrDefault(rules.reviveTopic(), Map.of())));
  }

  private Future<?> begin(Map<Integer, Long> noted) {
    long startNs = clock.nanos();
    notedRevive = new long[rules.reviveQueues()];
    for (int queueId = 0; queueId < rules.reviveQueues(); queueId++) {
      long last = noted.getOrDefault(queueId, -1L);
      notedRevive[queueId] = recovery.run(queueId, last);
      if (notedRevive[queueId] < last) {
        outside.commit(revived(queueId, Math.max(0, notedRevive[queueId])));
      }
    }
    if (pops.inFlight().size() > 0) {
      log.info("what is popped was read from the log checkpoints={} tookMs={}",
          pops.inFlight().size(), (clock.nanos() - startNs) / 1_000_000);
    }
    vertx.setPeriodic(TICK_MS, timer -> {
      pops.flushed(flushedOffset.getAsLong());
      pops.tick();
      work();
    });
    vertx.setPeriodic(NOTE_MS, timer -> {
      readOn();
      noteRevive();
      haveLogForced();
    });
    vertx.setPeriodic(SAVE_ORDER_MS, timer -> saveOrder());
    return Future.all(List.of(
        listen(BusAddress.appended(sender), "pop batch", this::returned),
        listen(BusAddress.watermark(sender), "pop watermark", this::flushed),
        listen(BusAddress.arrivals(watcher), "pop arrivals", this::arrived),
        listen(PopProxy.POP, "pops", this::pop),
        listen(PopProxy.GONE, "pops of a connection", (PopProxy.Gone gone) -> pops.gone(gone)),
        listen(PopProxy.TURNED_AWAY, "pops of groups that may not consume", this::turnAway),
        listen(OffsetsProxy.MOVED, "progress of popping groups", this::moved),
        listen(OffsetsProxy.FORGOTTEN, "forgotten progress", this::forgotten),
        vertx.eventBus().localConsumer(PopProxy.SETTLE, Guard.replying("settlements", this::settle)).completion(),
        vertx.eventBus().localConsumer(PopProxy.WAITING, Guard.replying("waiting pops", this::waiting)).completion(),
        followAll(pops.table().groups())));
  }

  /** Of groups with something in flight it must hear where others put them, also before they pop again. */
  private Future<?> followAll(Set<String> groups) {
    return Future.all(groups.stream()
        .map(group -> offsets.follow(group).onSuccess(progress -> offsets.commitPopped(pops.table().learn(group, progress))))
        .toList());
  }

  private <T> Future<Void> listen(String address, String what, Handler<T> handler) {
    return vertx.eventBus().localConsumer(address, Guard.logged(what, handler)).completion();
  }

  /**
   * Waits for the batch in flight and for what is to be noted, then brings progress and order to their files. The log is forced
   * after it, at the end of a process at the latest.
   */
  @Override
  public Future<?> stop() {
    stopping = Promise.promise();
    work();
    return stopping.future().compose(done -> {
      Future<?> saved = saveOrder();
      noteRevive();
      haveLogForced();
      pops.flushed(Long.MAX_VALUE);
      outside.send();
      return saved;
    });
  }

  private void pop(List<PopRequest> requests) {
    requests.forEach(pops::add);
    nextTurn.arm();
  }

  private void settle(Message<List<SettleRequest>> message) {
    pops.add(message.body(), outcomes -> message.reply(outcomes, LocalBus.LOCAL));
    nextTurn.arm();
  }

  private void waiting(Message<PopProxy.Waiting> message) {
    PopProxy.Waiting asked = message.body();
    message.reply(pops.waiting(asked.group(), asked.topic(), asked.queueId()));
  }

  private void arrived(Arrivals arrivals) {
    for (int i = 0; i < arrivals.count(); i++) {
      pops.arrived(arrivals.topic(i), arrivals.queueId(i));
    }
    nextTurn.arm();
  }

  private void turnAway(PopProxy.TurnedAway turnedAway) {
    pops.turnAway(turnedAway);
    nextTurn.arm();
  }

  private void moved(List<GroupPlace> places) {
    places.forEach(pops::moved);
    nextTurn.arm();
  }

  private void forgotten(OffsetsProxy.Forgotten forgotten) {
    if (forgotten.group() != null) {
      pops.forgetGroup(forgotten.group());
    } else {
      pops.forgetTopic(forgotten.topic());
    }
  }

  private void flushed(Watermark reached) {
    if (reached.kind() == Watermark.Kind.FLUSHED) {
      pops.flushed(reached.phyOffset());
      outside.send();
      work();
    }
  }

  private void work() {
    if (inFlight) {
      return;
    }
    more = pops.fill();
    outside.send();
    if (pops.batch().count() > 0) {
      inFlight = true;
      commitLog.append(pops.batch());
    } else if (stopping != null && pops.idle()) {
      stopping.tryComplete();
    } else if (more) {
      nextTurn.arm();
    }
  }

  private void returned(AppendBatch back) {
    inFlight = false;
    boolean allStored = pops.settle();
    outside.send();
    if (stopping != null && !allStored) {
      stopping.tryComplete();
    } else if (allStored) {
      nextTurn.arm();
    }
  }

  /** While a batch is with the writer it cannot be told what of the log's end is ours. */
  private void readOn() {
    if (!inFlight) {
      recovery.readOn();
    }
  }

  /** Under ASYNC_FLUSH that may be long from now. */
  private void haveLogForced() {
    if (pops.progressWaits()) {
      vertx.eventBus().send(BusAddress.FLUSH, new FlushNudge(0), LocalBus.LOCAL);
    }
  }

  /** As RocketMQ does: what is noted is the last record of no use any more, not the first that is of use. */
  private void noteRevive() {
    for (int queueId = 0; queueId < notedRevive.length; queueId++) {
      long last = pops.inFlight().reviveQueues().get(queueId).first() - 1;
      if (last > notedRevive[queueId]) {
        notedRevive[queueId] = last;
        int noted = queueId;
        pops.whenOnDisk(() -> outside.commit(revived(noted, last)));
      }
    }
    outside.send();
  }

  private GroupPlace revived(int queueId, long last) {
    return new GroupPlace(PopRules.REVIVE_GROUP, rules.reviveTopic(), queueId, last, 0);
  }

  private Future<?> saveOrder() {
    OrderFile file = pops.ordered().takeChanged();
    if (file == null) {
      return Future.succeededFuture();
    }
    List<ReviveQueue> queues = pops.inFlight().reviveQueues();
    long[] ends = queues.stream().mapToLong(ReviveQueue::end).toArray();
    return config.save(OrderFile.FORMAT, file)
        .onSuccess(saved -> {
          for (int queueId = 0; queueId < ends.length; queueId++) {
            queues.get(queueId).unpin(ends[queueId]);
          }
        })
        .recover(failure -> {
          log.error("a config file could not be written, it will be tried again file={}", OrderFile.FORMAT.fileName(), failure);
          pops.ordered().notSaved();
          return Future.succeededFuture();
        });
  }

  /** What pops ask of others, collected over one round. */
  @OwnedBy("PopVerticle")
  private final class Outside implements PopOutside {
    private final Map<Integer, List<PopAnswer>> answers = new HashMap<>();
    private final Set<String> asked = new HashSet<>();
    private final int watcher;
    private List<GroupPlace> commits = new ArrayList<>();
    private Watches watches;

    Outside(int watcher) {
      this.watcher = watcher;
      watches = new Watches(watcher);
    }

    @Override
    public void answer(int loop, PopAnswer answer) {
      answers.computeIfAbsent(loop, first -> new ArrayList<>()).add(answer);
    }

    @Override
    public void commit(GroupPlace place) {
      commits.add(place);
    }

    @Override
    public void adopted(PopQueue queue) {
      offsets.settled(new ResetSettled(queue.group(), queue.topic(), queue.queueId(), queue.next()));
    }

    @Override
    public void watch(String topic, int queueId, long queueOffset) {
      watches.add(topic, queueId, queueOffset);
    }

    @Override
    public void ensureTopic(String retryTopic) {
      if (asked.add(retryTopic)) {
        topics.ensure(TopicConfig.of(retryTopic, RETRY_QUEUES, Perm.READ_WRITE))
            .onSuccess(made -> {
              pops.topicIsThere(retryTopic);
              nextTurn.arm();
            })
            .onFailure(failure -> log.warn("a retry topic could not be made, it is tried again topic={}", retryTopic, failure))
            .onComplete(settled -> asked.remove(retryTopic));
      }
    }

    @Override
    public void follow(String group) {
      offsets.follow(group)
          .onSuccess(progress -> pops.learn(group, progress))
          .onFailure(failure -> {
            log.warn("the progress of a group that pops cannot be found out group={}", group, failure);
            pops.learn(group, null);
          })
          .onComplete(settled -> nextTurn.arm());
    }

    /** Progress goes first: nobody who has an answer finds it missing. */
    void send() {
      if (!commits.isEmpty()) {
        offsets.commitPopped(commits);
        commits = new ArrayList<>();
      }
      answers.forEach((loop, all) -> vertx.eventBus().send(BusAddress.popped(loop), all, LocalBus.LOCAL));
      answers.clear();
      if (watches.count() > 0) {
        dispatcher.watch(watches);
        watches = new Watches(watcher);
      }
    }
  }
}
