package io.metaq.client;

import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.HeaderPeek;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SendAnswer;
import io.metaq.codec.remoting.SendRequest;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a server. Requests are pipelined and matched to their answers by a number; what is asked in one round of the
 * loop leaves as one write. When the connection ends, every request without an answer fails. A connection that its server asks to
 * go away takes no more requests, and ends when those under way have their answers.
 */
@OwnedBy("its client's context")
final class Link {
  private static final Logger log = LoggerFactory.getLogger(Link.class);
  private final Home home;
  private final Address address;
  private final NetSocket socket;
  private final Optional<RequestSigner> signer;
  private final BiConsumer<RemotingCommand, Link> onRequest;
  private final long stallNs;
  private final Map<Integer, Waiting> pending = new HashMap<>();
  private final Set<Flush> unwritten = new LinkedHashSet<>();
  private final WriteBuffer out = new WriteBuffer();
  private boolean open = true;
  private boolean leaving;
  private final HeaderPeek peek = new HeaderPeek();
  private int lastOpaque;
  private final long madeNs;
  private long heardNs;
  private Future<Void> lastWrite = Future.succeededFuture();
  private Flush next;

  /** Waits for the answer to a send. */
  interface SendListener {
    /** Any answer, also one with an error code. */
    void answered(SendAnswer answer);

    /** There was none in time, or the connection ended. */
    void unanswered(MetaqException failure);
  }

  /** What leaves in one write. */
  private static final class Flush {
    private final long begunNs;

    /** Completes when it has left this process; fails when the connection ends before. */
    private final Promise<Void> written = Promise.promise();

    Flush(long begunNs) {
      this.begunNs = begunNs;
    }
  }

  /** Something that waits for its answer. */
  private abstract static class Waiting {
    private final int code;
    private final long timeoutMs;
    private final long askedNs;

    Waiting(int code, long timeoutMs, long askedNs) {
      this.code = code;
      this.timeoutMs = timeoutMs;
      this.askedNs = askedNs;
    }

    abstract void answered(RemotingCommand answer);

    abstract void unanswered(MetaqException failure);

    /** For whom an answer can be read in place; null for others. */
    SendListener sender() {
      return null;
    }

    boolean late(long nowNs) {
      return nowNs - askedNs >= timeoutMs * 1_000_000;
    }
  }

  /**
   * Takes over a fresh socket; call in the continuation of its connect, before the first read.
   *
   * @param signer signs requests, if the servers are to know who asks
   * @param stallMs a peer that neither takes what is written nor says anything for so long is given up
   * @param onRequest gets what the server asks or tells of its own accord
   */
  Link(
      Home home,
      Address address,
      NetSocket socket,
      Optional<RequestSigner> signer,
      long stallMs,
      BiConsumer<RemotingCommand, Link> onRequest) {
    this.home = home;
    this.address = address;
    this.socket = socket;
    this.signer = signer;
    this.stallNs = stallMs * 1_000_000;
    this.onRequest = onRequest;
    this.madeNs = home.clock().nanos();
    this.heardNs = madeNs;
    FrameCutter cutter = new FrameCutter(this::frame);
    socket.handler(chunk -> feed(cutter, chunk));
    socket.exceptionHandler(failure -> log.debug("connection broke remote={} cause={}", address, failure.toString()));
    socket.closeHandler(ignored -> ended());
  }

  Address address() {
    return address;
  }

  /** How long there has been this connection. */
  long ageNs() {
    return home.clock().nanos() - madeNs;
  }

  /** Whether it takes requests. */
  boolean isOpen() {
    return open && !leaving;
  }

  /** Whether all is over: nothing is waited for any more. */
  boolean hasEnded() {
    return !open;
  }

  /** Sends a request. The future has any answer, also an error code; it fails when there is none in time or the connection ends. */
  Future<RemotingCommand> call(RemotingCommand request, long timeoutMs) {
    if (!isOpen()) {
      return Future.failedFuture(broken());
    }
    Call call = new Call(request.code(), timeoutMs, home.clock().nanos());
    write(signed(request.opaque(await(call))));
    return call.promise.future();
  }

  /**
   * Sends a message. The listener is called once, possibly at once.
   *
   * @param nowNs the time now, by the clock
   */
  void call(SendRequest request, long nowNs, long timeoutMs, SendListener listener) {
    if (!isOpen()) {
      listener.unanswered(broken());
      return;
    }
    write(request, await(new Send(listener, request.code().wire(), timeoutMs, nowNs)));
  }

  /** Sends what has no answer; lost when the connection has ended. */
  void tell(RemotingCommand oneway) {
    if (open) {
      write(signed(oneway.opaque(++lastOpaque)));
    }
  }

  /** Sends a message that nobody answers. The future completes when it has left; fails when the connection ended before. */
  Future<Void> tell(SendRequest oneWay) {
    if (!isOpen()) {
      return Future.failedFuture(broken());
    }
    write(oneWay, ++lastOpaque);
    return written();
  }

  /** Completes when all that was given to this connection so far has left this process; fails when the connection ended before. */
  Future<Void> written() {
    return next == null ? lastWrite : next.written.future();
  }

  /** Sends an answer to one of the server's requests. */
  void answer(RemotingCommand response) {
    if (open) {
      write(response);
    }
  }

  /**
   * Fails the requests whose time is over, and ends the connection when nothing at all came in such a request's time, or when what
   * is written does not leave: it would pile up. Called now and then.
   */
  void sweep(long nowNs) {
    List<Waiting> late = new ArrayList<>();
    for (Iterator<Waiting> all = pending.values().iterator(); all.hasNext(); ) {
      Waiting call = all.next();
      if (call.late(nowNs)) {
        all.remove();
        late.add(call);
      }
    }
    for (Waiting call : late) {
      call.unanswered(
          MetaqException.of(
              MetaqException.Reason.TIMEOUT,
              address + " did not answer request " + named(call.code) + " within " + call.timeoutMs + " ms"));
    }
    if (open && (late.stream().anyMatch(call -> heardNs - call.askedNs < 0) || stalled(nowNs))) {
      log.debug("connection closed: nothing came for the whole time of a request remote={}", address);
      abandon();
    }
    out.rest();
    closeIfLeft();
  }

  private static String named(int code) {
    return code + RequestCode.of(code).map(known -> " (" + known + ")").orElse("");
  }

  /** Writes what is waiting and closes. */
  void close() {
    if (open) {
      flush();
      ended();
      socket.close();
    }
  }

  /** Takes no more requests, and closes when nothing is waited for any more. */
  private void leave() {
    leaving = true;
    closeIfLeft();
  }

  private void closeIfLeft() {
    if (open && leaving && pending.isEmpty() && unwritten.isEmpty() && next == null) {
      close();
    }
  }

  /** Closes without a wait for what the peer does not take. */
  private void abandon() {
    ended();
    socket.close();
  }

  private boolean stalled(long nowNs) {
    if (unwritten.isEmpty()) {
      return false;
    }
    long begunNs = unwritten.iterator().next().begunNs;
    long silentSinceNs = heardNs - begunNs > 0 ? heardNs : begunNs;
    return nowNs - silentSinceNs >= stallNs;
  }

  private int await(Waiting call) {
    int opaque = ++lastOpaque;
    pending.put(opaque, call);
    return opaque;
  }

  private void write(SendRequest request, int opaque) {
    if (signer.isPresent()) {
      write(signed(request.command().opaque(opaque)));
    } else {
      request.write(out.sink(), opaque);
      armFlush();
    }
  }

  private void write(RemotingCommand command) {
    HeaderCodec.encode(command, out.sink());
    armFlush();
  }

  private void armFlush() {
    if (next == null) {
      next = new Flush(home.clock().nanos());
      home.later(this::flush);
    }
  }

  /**
   * A socket never says what becomes of a write that its peer does not take, even when it is closed; so each write has a promise of its
   * own.
   */
  private void flush() {
    if (next == null) {
      return;
    }
    Flush flush = next;
    next = null;
    lastWrite = flush.written.future();
    unwritten.add(flush);
    socket.write(out.take()).onComplete(done -> written(flush, done.succeeded()));
  }

  /** Bytes that are kept for what it will write. */
  int keptBytes() {
    return out.capacityBytes();
  }

  private void written(Flush flush, boolean whole) {
    if (unwritten.remove(flush)) {
      if (whole) {
        flush.written.complete();
      } else {
        flush.written.fail(broken());
      }
    }
  }

  private RemotingCommand signed(RemotingCommand request) {
    signer.ifPresent(present -> present.sign(request));
    return request;
  }

  private void feed(FrameCutter cutter, Buffer chunk) {
    if (!open) {
      return;
    }
    heardNs = home.clock().nanos();
    try {
      cutter.feed(chunk);
    } catch (IllegalArgumentException | HeaderException notOurProtocol) {
      log.warn("connection closed: the peer does not speak the remoting protocol remote={} cause={}", address, notOurProtocol.getMessage());
      abandon();
    } catch (RuntimeException | Error failure) {
      // What was handed on before the failure would be handed on again with the next bytes.
      log.error("connection closed: what came over it could not be dealt with remote={}", address, failure);
      abandon();
    }
    closeIfLeft();
  }

  private void frame(byte[] bytes, int from, int length) {
    if (!open || answeredInPlace(bytes, from, length)) {
      return;
    }
    RemotingCommand command = Frames.decode(bytes, from, length);
    if (!command.isResponse()) {
      onRequest.accept(command, this);
      return;
    }
    Waiting call = pending.remove(command.opaque());
    if (call == null) {
      log.debug("answer came too late remote={} opaque={}", address, command.opaque());
    } else if (command.code() == ResultCode.GO_AWAY.wire()) {
      leave();
      call.unanswered(broken());
    } else {
      call.answered(command);
    }
  }

  /**
   * Deals with an answer to a send that can be read without making a command of it: most of what comes to a client that sends much.
   */
  private boolean answeredInPlace(byte[] bytes, int from, int length) {
    SerializeType type = Frames.type(bytes, from, length);
    int headerLength = Frames.headerLength(bytes, from, length);
    int headerAt = from + HeaderCodec.PREFIX_LENGTH;
    if (!peek.readBinary(bytes, headerAt, headerLength, type) || !peek.isResponse() || peek.code() == ResultCode.GO_AWAY.wire()) {
      return false;
    }
    Waiting call = pending.get(peek.opaque());
    SendListener sender = call == null ? null : call.sender();
    if (sender == null) {
      return false;
    }
    SendAnswer answer = SendAnswer.read(bytes, headerAt, headerLength);
    pending.remove(peek.opaque());
    sender.answered(answer);
    return true;
  }

  private void ended() {
    if (open) {
      open = false;
      List<Waiting> lost = new ArrayList<>(pending.values());
      pending.clear();
      lost.forEach(call -> call.unanswered(broken()));
      List<Flush> never = new ArrayList<>(unwritten);
      unwritten.clear();
      if (next != null) {
        never.add(next);
        next = null;
      }
      never.forEach(flush -> flush.written.fail(broken()));
    }
  }

  private MetaqException broken() {
    return MetaqException.of(MetaqException.Reason.CONNECTION, "the connection to " + address + " ended");
  }

  /** A request of any kind. */
  private static final class Call extends Waiting {
    private final Promise<RemotingCommand> promise = Promise.promise();

    Call(int code, long timeoutMs, long askedNs) {
      super(code, timeoutMs, askedNs);
    }

    @Override
    void answered(RemotingCommand answer) {
      promise.complete(answer);
    }

    @Override
    void unanswered(MetaqException failure) {
      promise.fail(failure);
    }
  }

  /** A send, whose answer is read in place when it can be. */
  private static final class Send extends Waiting {
    private final SendListener sender;

    Send(SendListener sender, int code, long timeoutMs, long askedNs) {
      super(code, timeoutMs, askedNs);
      this.sender = sender;
    }

    @Override
    SendListener sender() {
      return sender;
    }

    @Override
    void answered(RemotingCommand answer) {
      SendAnswer read;
      try {
        read = SendAnswer.of(answer);
      } catch (HeaderException unreadable) {
        sender.unanswered(
            MetaqException.of(
                MetaqException.Reason.CONNECTION, "the answer to a send cannot be read: " + unreadable.getMessage(), unreadable));
        return;
      }
      sender.answered(read);
    }

    @Override
    void unanswered(MetaqException failure) {
      sender.unanswered(failure);
    }
  }
}
