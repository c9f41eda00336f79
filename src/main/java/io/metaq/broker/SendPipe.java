package io.metaq.broker;

import io.metaq.bus.AppendBatch;
import io.metaq.bus.ReplicaProgress;
import io.metaq.bus.Watermark;
import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.SendAnswers;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.metaq.store.service.CommitLogProxy;
import io.vertx.core.Context;
import java.util.ArrayDeque;

/**
 * One loop's way to the commit log and back. All sends of a loop round join one {@link SendRound}; what returns is answered, or waits
 * for its watermarks. Rounds come back in the order they were sent, so a queue of them is all the correlation there is.
 *
 * <p>Bound: {@value #MAX_ROUNDS} rounds with the writer and {@value #MAX_WAITING} acknowledgements waiting; beyond that the connections
 * that send are not read, until half of it is gone.
 */
@OwnedBy("its event loop")
final class SendPipe {
  static final int MAX_ROUNDS = 8;
  static final int MAX_WAITING = 65_536;

  private final Context context;
  private final CommitLogProxy log;
  private final Clock clock;
  private final SendAnswers answers;
  private final int sender;
  private final LoopFigures figures;
  private final SendVigils vigils;

  private final SpareRounds spare;
  private final ArrayDeque<SendRound> withWriter = new ArrayDeque<>();
  private final PausedReaders paused = new PausedReaders();
  private final ByteSink sink = new ByteSink(1024);
  private final ByteSink ids = new ByteSink(256);
  private final SafeAcks<StoredUnit> acks;
  private SendRound current;
  private boolean tickArmed;

  SendPipe(Context context, int sender, CommitLogProxy log, ReplicaProgress replicas, Clock clock, BrokerOptions options,
      LoopFigures figures, SendVigils vigils) {
    this.context = context;
    this.sender = sender;
    this.log = log;
    this.clock = clock;
    this.figures = figures;
    this.vigils = vigils;
    this.answers = new SendAnswers(options.storeHost(), options.region(), options.traceOn());
    this.acks = new SafeAcks<>(options, replicas, sender, this::answer);
    this.spare = new SpareRounds(sender);
    this.current = spare.take();
  }

  /** The round of this loop tick, with room for {@code size} more bytes at the end of its batch. */
  SendRound reserve(int size) {
    if (!current.batch().reserve(size)) {
      send();
      current.batch().reserve(size);
    }
    if (!tickArmed) {
      tickArmed = true;
      context.runOnContext(tick -> {
        tickArmed = false;
        send();
      });
    }
    return current;
  }

  /** Called for each connection that sends: stops reading it while too much is under way. */
  void slowDown(Connection connection) {
    if (pressed(MAX_ROUNDS, MAX_WAITING)) {
      paused.pause(connection);
    }
  }

  /** True when nothing is with the writer and nobody waits. */
  boolean idle() {
    return withWriter.isEmpty() && acks.count() == 0 && current.batch().count() == 0;
  }

  /** A round came back with its outcomes. */
  void returned(AppendBatch batch) {
    SendRound round = withWriter.poll();
    if (round == null || round.batch() != batch) {
      throw new IllegalStateException("a batch came back out of order");
    }
    for (int unit = 0; unit < batch.count(); unit = batch.unitEnd(unit)) {
      settle(round, unit);
    }
    count(round);
    round.clear();
    spare.giveBack(round);
    resume();
    stayAwake();
  }

  void watermark(Watermark watermark) {
    int before = acks.count();
    acks.watermark(watermark);
    resume();
    // One for other loops alone is no reason to expect more.
    if (acks.count() < before) {
      stayAwake();
    }
  }

  /** Answers whatever has waited too long, and lets go of what is not needed any more. */
  void sweep() {
    acks.expire(clock.nanos());
    resume();
    spare.trim();
  }

  /** Refuses a send that never reached a batch. */
  void refuse(Connection connection, int opaque, SerializeType type, ResultCode code, String reason) {
    sink.clear();
    answers.refuse(sink, type, opaque, code, reason);
    connection.write(sink.array(), 0, sink.length());
  }

  void gone(Connection connection) {
    paused.gone(connection);
  }

  private void send() {
    if (current.batch().count() == 0) {
      return;
    }
    SendRound full = current;
    current = spare.take();
    withWriter.add(full);
    full.sentAt(clock.nanos());
    figures.add(Figure.PUTS_TAKEN, full.batch().count());
    log.append(full.batch());
    stayAwake();
  }

  private void stayAwake() {
    vigils.goOn(!withWriter.isEmpty(), acks.count() > 0);
  }

  /** The messages of a unit are all stored, or none of them. */
  private void count(SendRound round) {
    AppendBatch batch = round.batch();
    int stored = 0;
    long bytes = 0;
    for (int unit = 0; unit < batch.count(); unit = batch.unitEnd(unit)) {
      if (batch.status(unit) == AppendStatus.STORED) {
        stored += batch.unitEnd(unit) - unit;
        bytes += batch.endOffset(batch.unitEnd(unit) - 1) - batch.phyOffset(unit);
      }
    }
    figures.add(Figure.PUTS_RETURNED, batch.count());
    figures.add(Figure.MESSAGES_STORED, stored);
    figures.add(Figure.MESSAGES_REFUSED, batch.count() - stored);
    figures.add(Figure.BYTES_STORED, bytes);
    figures.putsTook(clock.nanos() - round.sentAtNs(), batch.count());
  }

  private void settle(SendRound round, int unit) {
    AppendBatch batch = round.batch();
    AppendStatus status = batch.status(unit);
    AppendCallback callback = round.callback(unit);
    if (callback != null) {
      Telling.tell("an append of the broker's own", () -> callback.appended(status, batch.detail(unit)));
      return;
    }
    Connection connection = round.connection(unit);
    if (connection == null) {
      return;
    }
    if (status != AppendStatus.STORED) {
      refuse(connection, round.opaque(unit), round.type(unit), codeOf(status), batch.detail(unit));
      return;
    }
    int last = batch.unitEnd(unit) - 1;
    if (last == unit && !round.waits(unit) && round.extra(unit) == null) {
      sink.clear();
      answers.encode(
          sink, round.type(unit), round.opaque(unit), ResultCode.SUCCESS, null, batch.phyOffset(unit), round.queueId(unit),
          batch.queueOffset(unit));
      connection.write(sink.array(), 0, sink.length());
      return;
    }
    long[] phyOffsets = new long[last + 1 - unit];
    for (int i = unit; i <= last; i++) {
      phyOffsets[i - unit] = batch.phyOffset(i);
    }
    StoredUnit stored = new StoredUnit(connection, round.opaque(unit), round.type(unit), round.queueId(unit), batch.queueOffset(unit),
        phyOffsets, round.extra(unit), batch.endOffset(last), clock.nanos(), ResultCode.SUCCESS);
    if (round.waits(unit)) {
      acks.await(stored);
    } else {
      answer(stored);
    }
  }

  private void answer(StoredUnit unit) {
    ids.clear();
    for (long phyOffset : unit.phyOffsets()) {
      answers.appendId(ids, phyOffset);
    }
    sink.clear();
    answers.encode(sink, unit.type(), unit.opaque(), unit.code(), null, ids, unit.queueId(), unit.queueOffset(), unit.extra());
    unit.connection().write(sink.array(), 0, sink.length());
  }

  private void resume() {
    if (!pressed(MAX_ROUNDS / 2, MAX_WAITING / 2)) {
      paused.resume();
    }
  }

  private boolean pressed(int rounds, int waiting) {
    return withWriter.size() >= rounds || acks.count() >= waiting;
  }

  private static ResultCode codeOf(AppendStatus status) {
    return switch (status) {
      case STORED -> ResultCode.SUCCESS;
      case ILLEGAL -> ResultCode.MESSAGE_ILLEGAL;
      case UNAVAILABLE -> ResultCode.SERVICE_NOT_AVAILABLE;
      case FAILED -> ResultCode.SYSTEM_ERROR;
    };
  }
}
