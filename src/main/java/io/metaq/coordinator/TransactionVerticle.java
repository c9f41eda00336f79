package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.api.CheckTransaction;
import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.coordinator.api.TransactionsProxy;
import io.metaq.coordinator.api.Verdict;
import io.metaq.model.Clock;
import io.metaq.model.DelayLevels;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.TopicConfig;
import io.metaq.model.Topics;
import io.metaq.store.StoreView;
import io.metaq.store.service.CommitLogProxy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what producers say of their half messages, and asks them about those they say nothing of. One batch is with the log's
 * writer at a time; under load it holds what has come in meanwhile. Its progress is kept among the consumers' progress, as group
 * {@code CID_RMQ_SYS_TRANS}. WORKER x1, pool {@code metaq-transaction}, because it reads records that may be cold; deployed after
 * the store's services and the other coordinators, on a master only.
 */
@OwnedBy("itself")
public final class TransactionVerticle extends VerticleBase {
  static final String GROUP = "CID_RMQ_SYS_TRANS";

  /** How often progress is handed over, and what could not be stored is tried again. */
  private static final long TICK_MS = 1_000;

  private static final Logger log = LoggerFactory.getLogger(TransactionVerticle.class);

  private final TransactionLog store;
  private final TransactionRules rules;
  private final DelayLevels delays;
  private final int sender;
  private final byte[] storeHost;
  private final Clock clock;
  private final long tickMs;

  private OffsetsProxy offsets;
  private TopicsProxy topics;
  private CommitLogProxy commitLog;
  private Transactions transactions;
  private boolean inFlight;
  private NextTurn nextTurn;
  private long notedHalf;
  private long notedOp;
  private Promise<Void> stopping;

  /**
   * @param sender its number among the senders of the commit log; no other has it
   * @param storeHost the broker's advertised address as a record has it: 4 or 16 bytes of IP, then the port as i32
   */
  public TransactionVerticle(
      StoreView store, TransactionRules rules, DelayLevels delays, int sender, byte[] storeHost, Clock clock) {
    this(new StoredTransactions(store), rules, delays, sender, storeHost, clock, TICK_MS);
  }

  TransactionVerticle(
      TransactionLog store, TransactionRules rules, DelayLevels delays, int sender, byte[] storeHost, Clock clock, long tickMs) {
    this.store = store;
    this.rules = rules;
    this.delays = delays;
    this.sender = sender;
    this.storeHost = storeHost.clone();
    this.clock = clock;
    this.tickMs = tickMs;
  }

  @Override
  public Future<?> start() {
    nextTurn = new NextTurn(context, this::work);
    commitLog = new CommitLogProxy(vertx);
    topics = new TopicsProxy(vertx);
    offsets = new OffsetsProxy(vertx);
    return offsets.query(GROUP, Topics.HALF, StoredTransactions.QUEUE_ID)
        .compose(half -> offsets.query(GROUP, Topics.HALF_OP, StoredTransactions.QUEUE_ID).compose(op -> begin(half, op)));
  }

  /** Waits for the batch in flight and for the notes of what it ended, so that a restart has nothing to ask for. */
  @Override
  public Future<?> stop() {
    stopping = Promise.promise();
    transactions.endChecks();
    work();
    return stopping.future().onComplete(done -> noteProgress());
  }

  private Future<?> begin(long nextHalf, long nextOp) {
    transactions = new Transactions(store, rules, delays, sender, storeHost, clock, nextHalf, nextOp, new Told());
    notedHalf = nextHalf;
    notedOp = nextOp;
    vertx.setPeriodic(tickMs, timer -> {
      noteProgress();
      work();
    });
    vertx.setPeriodic(rules.checkIntervalMs(), timer -> check());
    return Future.all(
        vertx.eventBus()
            .localConsumer(BusAddress.appended(sender), Guard.<AppendBatch>logged("transactions", this::returned))
            .completion(),
        vertx.eventBus().localConsumer(TransactionsProxy.END, Guard.replying("verdicts", this::end)).completion());
  }

  private void end(Message<List<Verdict>> message) {
    transactions.add(new VerdictRequest(message.body(), outcomes -> message.reply(outcomes, LocalBus.LOCAL)));
    nextTurn.arm();
  }

  private void check() {
    vertx.eventBus().<LiveProducers>request(LiveProducers.ADDRESS, "all", LocalBus.LOCAL)
        .onSuccess(producers -> {
          if (stopping == null) {
            transactions.beginChecks(producers.body());
            work();
          }
        })
        .onFailure(failure -> log.warn("producers cannot be asked about their transactions now", failure));
  }

  private void work() {
    if (inFlight) {
      return;
    }
    boolean more = transactions.fill();
    if (transactions.batch().count() > 0) {
      inFlight = true;
      commitLog.append(transactions.batch());
    } else if (stopping != null) {
      stopping.tryComplete();
    } else if (more) {
      nextTurn.arm();
    }
  }

  private void returned(AppendBatch back) {
    inFlight = false;
    boolean allStored = transactions.settle();
    if (allStored) {
      // There may be more than was known when the batch left: verdicts that came meanwhile were left waiting for it.
      work();
    } else if (stopping != null) {
      stopping.tryComplete();
    }
  }

  /** Later than the truth is allowed: what is read again then is found to have ended. */
  private void noteProgress() {
    long nextHalf = transactions.nextHalf();
    long nextOp = transactions.nextOp();
    if (nextHalf != notedHalf || nextOp != notedOp) {
      OffsetCommits commits = new OffsetCommits();
      commits.add(GROUP, Topics.HALF, StoredTransactions.QUEUE_ID, nextHalf);
      commits.add(GROUP, Topics.HALF_OP, StoredTransactions.QUEUE_ID, nextOp);
      offsets.commit(commits);
      notedHalf = nextHalf;
      notedOp = nextOp;
    }
  }

  /** What check backs ask of others. */
  private final class Told implements CheckBack.Listener {
    @Override
    public void ask(ClientConnection producer, CheckTransaction question) {
      vertx.eventBus().send(BusAddress.deltas(producer.loop()), question, LocalBus.LOCAL);
    }

    @Override
    public void givenUp() {
      topics.ensure(TopicConfig.of(Topics.TRANS_CHECK_MAX_TIME, 1, Perm.READ_WRITE))
          .onFailure(failure -> log.warn("the topic of what is given up was not made topic={}", Topics.TRANS_CHECK_MAX_TIME, failure));
    }
  }
}
