package io.metaq.replication;

import io.metaq.bus.BusAddress;
import io.metaq.bus.CopiedPiece;
import io.metaq.bus.Guard;
import io.metaq.bus.ReplicaPeer;
import io.metaq.bus.ReplicaProgress;
import io.metaq.bus.Watermark;
import io.metaq.coordinator.api.MasterAddress;
import io.metaq.model.Backoff;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.net.ByteStreams;
import io.metaq.store.StoreView;
import io.metaq.store.service.LogCopyProxy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.net.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a slave's commit log a copy of its master's: finds the master, compares both logs, takes what is missing and what comes,
 * and does so again after each break. EVENT_LOOP x1; deployed after LogCopyVerticle.
 *
 * <p>A slave that holds what its master does not stops here, loudly, until a person has decided; it never cuts its log.
 */
@OwnedBy("itself")
public final class FollowerVerticle extends VerticleBase {
  /** Where a slave stands with its master. */
  enum Phase {
    /** No name server has named a master yet. */
    NO_MASTER,
    /** Asks the master where its log begins and ends. */
    COMPARING,
    CONNECTING,
    /** Gets the log. */
    TRANSFER,
    /** Waits before the next try. */
    PAUSE,
    /** Has what its master has not; nothing happens until the process is started anew. */
    DIVERGED,
    /** Its log ends before the master's begins; the process begins it anew. */
    BEGINNING_ANEW
  }

  /**
   * Who is followed.
   *
   * @param ha where its log comes from
   * @param broker where it answers requests
   */
  private record Master(HostAndPort ha, HostAndPort broker) {}

  private static final Logger log = LoggerFactory.getLogger(FollowerVerticle.class);
  private static final long SWEEP_MS = 100;
  /** Breaks of a connection that held for so long are told anew, whatever they are. */
  private static final long STABLE_NS = 10_000_000_000L;

  private final ReplicationOptions options;
  private final StoreView store;
  private final ReplicaProgress progress;
  private final int sender;
  private final Clock clock;
  private final Backoff backoff;
  private final LongConsumer beginAnew;
  private final LogCopyProxy copy;

  private final List<MessageConsumer<?>> consumers = new ArrayList<>();
  private final Promise<Void> drained = Promise.promise();
  private WorkerExecutor readers;
  private ByteStreams streams;
  private MasterCheck check;
  private PiecePipe pipe;
  private long sweepTimer = -1;

  private Phase phase = Phase.NO_MASTER;
  private Optional<MasterAddress> learnt = Optional.empty();
  private MasterSession session;
  private long followingSinceNs;
  private String told = "";
  private boolean stopping;

  /**
   * @param sender number under which the flusher is told of this verticle's waiting
   * @param backoff pauses between tries
   * @param copy the way to this slave's log
   * @param beginAnew is to set the store aside and begin its log at a position, with a restart of everything that uses it
   */
  public FollowerVerticle(ReplicationOptions options, StoreView store, LogCopyProxy copy, ReplicaProgress progress, int sender,
      Clock clock, Backoff backoff, LongConsumer beginAnew) {
    this.options = options;
    this.store = store;
    this.progress = progress;
    this.sender = sender;
    this.clock = clock;
    this.backoff = backoff;
    this.beginAnew = beginAnew;
    this.copy = copy;
  }

  @Override
  public Future<?> start() {
    readers = vertx.createSharedWorkerExecutor("metaq-replication-read", 1);
    streams = new ByteStreams(vertx, clock);
    check = new MasterCheck(vertx, store, readers);
    pipe = new PiecePipe(sender, this::copy);
    consumers.add(vertx.eventBus().localConsumer(BusAddress.COPIED, Guard.<CopiedPiece>logged("copied", piece -> {
      copy.returned();
      copied(piece);
    })));
    consumers.add(vertx.eventBus().localConsumer(BusAddress.watermark(sender), Guard.<Watermark>logged("flushed", reached -> progressed())));
    consumers.add(vertx.eventBus().localConsumer(BusAddress.MASTER, Guard.logged("master", this::learn)));
    sweepTimer = vertx.setPeriodic(SWEEP_MS, timer -> sweep());
    attempt();
    return Future.all(consumers.stream().map(MessageConsumer::completion).toList());
  }

  /** Completes when the writer has given every piece back, and the master is not asked any more. */
  @Override
  public Future<?> stop() {
    stopping = true;
    vertx.cancelTimer(sweepTimer);
    if (session != null) {
      session.end("this slave stops");
    }
    Future<Void> nothingAsked = check.close();
    drainedWhenIdle();
    return drained.future()
        .onSuccess(idle -> copy.close())
        .eventually(() -> nothingAsked)
        .eventually(() -> Future.all(consumers.stream().map(MessageConsumer::unregister).toList()))
        .eventually(streams::close)
        .eventually(readers::close);
  }

  private void learn(MasterAddress address) {
    boolean other = !learnt.map(address::equals).orElse(false);
    learnt = Optional.of(address);
    if (other && session != null && options.masterHa().isEmpty()) {
      session.end("the master is at " + address.ha() + " now");
    } else if (phase == Phase.NO_MASTER) {
      attempt();
    }
  }

  /**
   * The master as it is known now; its broker is beside a configured {@code haMasterAddress}, by default, when no name server
   * tells.
   */
  private Optional<Master> master() {
    return options.masterHa().or(() -> learnt.map(MasterAddress::ha)).map(FollowerVerticle::address).map(ha -> new Master(ha,
        learnt.map(MasterAddress::broker).map(FollowerVerticle::address).orElseGet(() -> HostAndPort.create(ha.host(), ha.port() - 1))));
  }

  private static HostAndPort address(String text) {
    return HostAndPort.parseAuthority(text, -1);
  }

  /** Begins a try, when all of the last one is done with. */
  private void attempt() {
    if (stopping) {
      return;
    }
    Optional<Master> master = master();
    if (master.isEmpty()) {
      phase = Phase.NO_MASTER;
    } else if (pipe.isIdle() && store.readableOffset() == store.appendedOffset()) {
      phase = Phase.COMPARING;
      check.compare(master.get().broker()).onSuccess(verdict -> judged(master.get(), verdict))
          .onFailure(failure -> pause("it cannot be asked: " + failure.getMessage()));
    } else {
      vertx.setTimer(SWEEP_MS, later -> attempt());
    }
  }

  /** A verdict on a master that is none any more counts for nothing: the next one was not asked. */
  private void judged(Master judged, Verdict verdict) {
    if (stopping) {
      return;
    }
    if (isFormer(judged)) {
      attempt();
    } else if (verdict instanceof Verdict.Follow follow) {
      connect(judged, follow);
    } else if (verdict instanceof Verdict.Diverged diverged) {
      phase = Phase.DIVERGED;
      log.error("replication stopped, this slave holds what its master does not: {}. Nothing was cut. When the master is right, stop this"
          + " broker, move its store away and start it: it copies everything anew. When this slave is right, make it the master. master={}",
          diverged.how(), judged.broker());
    } else if (verdict instanceof Verdict.BeginAnew anew) {
      phase = Phase.BEGINNING_ANEW;
      log.warn("this slave's log ends at {}, before its master's begins, and is begun anew there position={}", store.appendedOffset(),
          anew.position());
      beginAnew.accept(anew.position());
    }
    publish();
  }

  private boolean isFormer(Master asked) {
    return !master().equals(Optional.of(asked));
  }

  private void connect(Master judged, Verdict.Follow follow) {
    phase = Phase.CONNECTING;
    streams.connect(judged.ha().host(), judged.ha().port(), stream -> {
      session = new MasterSession(stream, pipe, store, options, clock, this::sessionEnded);
      return session;
    }).onSuccess(connected -> transfer(judged, follow)).onFailure(failure -> pause("it cannot be reached: " + failure.getMessage()));
  }

  private void transfer(Master judged, Verdict.Follow follow) {
    if (session == null) {
      return;
    }
    if (stopping || isFormer(judged)) {
      session.end(stopping ? "this slave stops" : "another master is known now");
      return;
    }
    phase = Phase.TRANSFER;
    followingSinceNs = clock.nanos();
    log.info("following the master ha={} from={}", judged.ha(), follow.next());
    session.begin(follow);
  }

  private void sessionEnded() {
    MasterSession over = session;
    session = null;
    if (over.wasFruitful()) {
      backoff.reset();
    }
    if (phase == Phase.TRANSFER && clock.nanos() - followingSinceNs >= STABLE_NS) {
      told = "";
    }
    pause(over.fault());
    drainedWhenIdle();
  }

  private void pause(String why) {
    phase = Phase.PAUSE;
    if (!stopping) {
      if (!why.equals(told)) {
        log.warn("the master is not followed right now, trying again master={} cause={}", master().orElseThrow().ha(), why);
        told = why;
      }
      vertx.setTimer(backoff.nextMs(), again -> attempt());
    }
    publish();
  }

  private void copy(CopiedPiece piece) {
    if (copy.takesHere(piece)) {
      int bytes = piece.size();
      copy.append(piece);
      try {
        // Whoever waits for the master's answer waits for this; whoever is told then has time.
        copied(piece);
      } finally {
        copy.grown(sender, bytes);
      }
    } else {
      copy.lend(piece);
    }
  }

  private void copied(CopiedPiece piece) {
    pipe.returned(piece);
    if (piece.fault().isPresent() && session != null) {
      log.error("a piece of the master's log was not taken phyOffset={} bytes={} cause={}", piece.phyOffset(), piece.size(),
          piece.fault().get());
      session.end(piece.fault().get());
    }
    progressed();
    drainedWhenIdle();
  }

  private void progressed() {
    if (session != null) {
      session.progressed();
    }
  }

  private void sweep() {
    if (session != null) {
      long nowNs = clock.nanos();
      session.sweep(nowNs);
      if (phase == Phase.TRANSFER && session.isQuiet(nowNs)) {
        askWhyQuiet(session);
      }
    }
    publish();
  }

  /** A break leads to the comparison, and that to the new beginning. */
  private void askWhyQuiet(MasterSession quiet) {
    check.first(master().orElseThrow().broker())
        .onSuccess(first -> {
          if (quiet == session && store.appendedOffset() < first) {
            quiet.end("it has deleted what comes next: its log begins at " + first);
          }
        })
        .onFailure(failure -> log.debug("the master sends nothing and cannot be asked why", failure));
  }

  private void publish() {
    if (session != null) {
      progress.peers(List.of(session.peer()), List.of(session.toString()));
    } else {
      String address = master().map(Master::ha).map(HostAndPort::toString).orElse("unknown");
      progress.peers(List.of(new ReplicaPeer(address, false, -1, -1, 0)), List.of("master " + address + " " + phase));
    }
  }

  private void drainedWhenIdle() {
    if (stopping && session == null && pipe.isIdle()) {
      drained.tryComplete();
    }
  }
}
