package io.metaq.replication;

import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.RemotingLink;
import io.metaq.net.RemotingLinkOptions;
import io.metaq.store.RecordSlice;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.net.HostAndPort;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the slave's log with its master's before anything is copied: by where both begin and end, and by the bytes of the slave's
 * last record, which hold its place, its time and its message. Asks the master as any client would (requests 28 and 33).
 */
final class MasterCheck {
  /** In a master's answer to 28: it understands {@link TransferHeader#FROM_FIRST_FILE}. */
  static final String FROM_FIRST_FILE = "metaqReplication";

  private static final String MIN_OFFSET = "commitLogMinOffset";
  private static final String MAX_OFFSET = "commitLogMaxOffset";
  private static final long TIMEOUT_MS = 5_000;

  private final Vertx vertx;
  private final StoreView store;
  private final WorkerExecutor readers;

  MasterCheck(Vertx vertx, StoreView store, WorkerExecutor readers) {
    this.vertx = vertx;
    this.store = store;
    this.readers = readers;
  }

  /** The slave's last record, copied. */
  private record LastRecord(long phyOffset, byte[] bytes) {}

  /** Fails when the master cannot be asked. */
  Future<Verdict> compare(HostAndPort master) {
    return RemotingLink.connect(vertx, master.host(), master.port(), RemotingLinkOptions.defaults())
        .compose(link -> compare(link).onComplete(done -> link.close()));
  }

  private Future<Verdict> compare(RemotingLink link) {
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
      return compare(link, first, end, table.containsKey(FROM_FIRST_FILE));
    });
  }

  private Future<Verdict> compare(RemotingLink link, long masterFirst, long masterEnd, boolean metaq) {
    long own = store.appendedOffset();
    if (own > masterEnd) {
      return Future.succeededFuture(new Verdict.Diverged("this slave's log ends at " + own + ", its master's at " + masterEnd));
    }
    if (own < masterFirst) {
      return Future.succeededFuture(new Verdict.BeginAnew(masterFirst));
    }
    if (own == 0) {
      return Future.succeededFuture(fromTheBeginning(masterEnd, metaq));
    }
    return readers.executeBlocking(this::lastRecord, false).compose(last ->
        last.filter(record -> record.phyOffset() >= masterFirst)
            .map(record -> compare(link, own, masterEnd, record))
            .orElseGet(() -> Future.succeededFuture(new Verdict.Follow(own, own))));
  }

  /**
   * How to get a log from position 0 on. A master of RocketMQ that is asked for 0 begins with its last file; asked for 1, it begins
   * there, and the byte before is known: the highest of a record's size.
   */
  private static Verdict fromTheBeginning(long masterEnd, boolean metaq) {
    if (metaq) {
      return new Verdict.Follow(TransferHeader.FROM_FIRST_FILE, 0);
    }
    return masterEnd == 0 ? new Verdict.Follow(0, 0) : new Verdict.Follow(1, 1);
  }

  private Future<Verdict> compare(RemotingLink link, long own, long masterEnd, LastRecord last) {
    RemotingCommand view = RemotingCommand.request(RequestCode.VIEW_MESSAGE_BY_ID).ext("offset", last.phyOffset());
    return ask(link, view).map(answer -> {
      if (answer.code() == ResultCode.SUCCESS.wire() && Arrays.equals(answer.body(), last.bytes())) {
        return new Verdict.Follow(own, own);
      }
      return new Verdict.Diverged("the last record of this slave, at " + last.phyOffset() + " to " + own
          + ", is not in its master's log, which ends at " + masterEnd);
    });
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
