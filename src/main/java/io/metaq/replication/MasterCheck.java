package io.metaq.replication;

import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.RemotingLink;
import io.metaq.net.RemotingLinkOptions;
import io.metaq.store.RecordSlice;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.net.HostAndPort;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Compares the slave's log with its master's before anything is copied: by where both begin and end, and by the bytes of the slave's
 * last record, which hold its place, its time and its message. Asks the master as any client would (requests 28 and 33).
 */
@OwnedBy("FollowerVerticle")
final class MasterCheck {
  /** In a master's answer to 28: it understands {@link TransferHeader#FROM_FIRST_FILE}. */
  static final String FROM_FIRST_FILE = "metaqReplication";

  private static final String MIN_OFFSET = "commitLogMinOffset";
  private static final String MAX_OFFSET = "commitLogMaxOffset";
  private static final long TIMEOUT_MS = 5_000;

  private final Vertx vertx;
  private final StoreView store;
  private final WorkerExecutor readers;
  private final Set<RemotingLink> links = new HashSet<>();
  private final Promise<Void> idle = Promise.promise();
  private int underWay;
  private boolean closed;

  MasterCheck(Vertx vertx, StoreView store, WorkerExecutor readers) {
    this.vertx = vertx;
    this.store = store;
    this.readers = readers;
  }

  /**
   * What the master says of its log.
   *
   * @param metaq whether it understands {@link TransferHeader#FROM_FIRST_FILE}
   */
  private record Positions(long first, long end, boolean metaq) {}

  /** The slave's last record, copied. */
  private record LastRecord(long phyOffset, byte[] bytes) {}

  /** Fails when the master cannot be asked. */
  Future<Verdict> compare(HostAndPort master) {
    return asked(master, link -> positions(link).compose(positions -> compare(link, positions)));
  }

  /** Log position of the master's first byte now; fails when the master cannot be asked. */
  Future<Long> first(HostAndPort master) {
    return asked(master, link -> positions(link).map(Positions::first));
  }

  private <T> Future<T> asked(HostAndPort master, Function<RemotingLink, Future<T>> questions) {
    if (closed) {
      return stopping();
    }
    Future<RemotingLink> connected = RemotingLink.connect(vertx, master.host(), master.port(), RemotingLinkOptions.defaults());
    underWay++;
    Promise<Void> unlinked = Promise.promise();
    Future<T> answer = connected
        .onFailure(unreachable -> unlinked.complete())
        .compose(link -> {
          links.add(link);
          link.closeFuture().onComplete(ended -> {
            links.remove(link);
            unlinked.complete();
          });
          return closed ? stopping() : questions.apply(link);
        })
        .onComplete(done -> connected.onSuccess(RemotingLink::close));
    Future.join(answer, unlinked.future()).onComplete(done -> over());
    return answer;
  }

  private static <T> Future<T> stopping() {
    return failed("this slave stops");
  }

  private void over() {
    underWay--;
    completeWhenIdle();
  }

  private void completeWhenIdle() {
    if (closed && underWay == 0) {
      idle.tryComplete();
    }
  }

  /** Ends what is being asked; completes when nothing is asked or read any more. */
  Future<Void> close() {
    closed = true;
    List.copyOf(links).forEach(RemotingLink::close);
    completeWhenIdle();
    return idle.future();
  }

  private Future<Positions> positions(RemotingLink link) {
    return ask(link, RemotingCommand.request(RequestCode.GET_BROKER_RUNTIME_INFO)).compose(answer -> {
      if (answer.code() != ResultCode.SUCCESS.wire()) {
        return failed("the master does not tell its positions: " + answer.remark());
      }
      Map<String, String> table = KvTableCodec.decode(answer.body());
      long first = Long.parseLong(table.getOrDefault(MIN_OFFSET, "-1"));
      long end = Long.parseLong(table.getOrDefault(MAX_OFFSET, "-1"));
      if (first < 0 || end < first) {
        return failed("the master tells no positions of its log: " + MIN_OFFSET + "=" + first + " " + MAX_OFFSET + "=" + end);
      }
      return Future.succeededFuture(new Positions(first, end, table.containsKey(FROM_FIRST_FILE)));
    });
  }

  private Future<Verdict> compare(RemotingLink link, Positions master) {
    long own = store.appendedOffset();
    if (own > master.end()) {
      return Future.succeededFuture(new Verdict.Diverged("this slave's log ends at " + own + ", its master's at " + master.end()));
    }
    if (own < master.first()) {
      return Future.succeededFuture(new Verdict.BeginAnew(master.first()));
    }
    if (own == 0) {
      return Future.succeededFuture(fromTheBeginning(master.end(), master.metaq()));
    }
    return readers.executeBlocking(this::lastRecord, false).compose(last ->
        last.filter(record -> record.phyOffset() >= master.first())
            .map(record -> compare(link, own, record, master.end()))
            .orElseGet(() -> Future.succeededFuture(new Verdict.Follow(own, own, master.end()))));
  }

  /**
   * How to get a log from position 0 on. A master of RocketMQ that is asked for 0 begins with its last file; asked for 1, it begins
   * there, and the byte before is known: the highest of a record's size.
   */
  private static Verdict fromTheBeginning(long masterEnd, boolean metaq) {
    if (metaq) {
      return new Verdict.Follow(TransferHeader.FROM_FIRST_FILE, 0, masterEnd);
    }
    return masterEnd == 0 ? new Verdict.Follow(0, 0, 0) : new Verdict.Follow(1, 1, masterEnd);
  }

  private Future<Verdict> compare(RemotingLink link, long own, LastRecord last, long masterEnd) {
    RemotingCommand view = RemotingCommand.request(RequestCode.VIEW_MESSAGE_BY_ID).ext("offset", last.phyOffset());
    return ask(link, view).compose(answer -> {
      if (answer.code() == ResultCode.SUCCESS.wire()) {
        boolean same = Arrays.equals(answer.body(), last.bytes());
        return Future.succeededFuture(same ? new Verdict.Follow(own, own, masterEnd) : diverged(own, last));
      }
      // Any other code says that it did not look: a broker that stops, or has no time.
      return answer.code() == ResultCode.SYSTEM_ERROR.wire() ? notThere(link, own, last)
          : failed("the master does not show a record: code " + answer.code() + ", " + answer.remark());
    });
  }

  /** The master has no such record: it never had it, or has deleted it since it told its positions. */
  private Future<Verdict> notThere(RemotingLink link, long own, LastRecord last) {
    return positions(link).compose(now -> now.first() > last.phyOffset()
        ? failed("it is deleting the beginning of its log, up to " + now.first())
        : Future.succeededFuture(diverged(own, last)));
  }

  private static Verdict diverged(long own, LastRecord last) {
    return new Verdict.Diverged("the last record of this slave, at " + last.phyOffset() + " to " + own + ", is not in its master's log");
  }

  private Optional<LastRecord> lastRecord() {
    Optional<RecordSlice> found = store.lastRecord();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    RecordSlice record = found.get();
    try {
      byte[] bytes = new byte[record.size()];
      record.bytes().get(0, bytes);
      return Optional.of(new LastRecord(record.phyOffset(), bytes));
    } finally {
      record.release();
    }
  }

  private static Future<RemotingCommand> ask(RemotingLink link, RemotingCommand request) {
    return link.request(request, TIMEOUT_MS);
  }

  private static <T> Future<T> failed(String sentence) {
    return Future.failedFuture(VertxException.noStackTrace(sentence));
  }
}
