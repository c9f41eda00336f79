package io.metaq.net;

import io.metaq.codec.remoting.ByteSink;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.netty.channel.EventLoop;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.List;

/**
 * What the connections of one server or link on one loop share: scratch memory, the log of refusals, and the tick, a task at the end
 * of the loop round that sends what every connection collected in it.
 */
@OwnedBy("its event loop")
final class WireLoop {
  private final ContextInternal context;
  private final EventLoop eventLoop;
  private final WireLimits limits;
  private final Clock clock;
  private final RefusalLog refusals;
  private final FrameView view = new FrameView();
  private final ByteSink sink = new ByteSink(4096);
  private final List<RemotingConnection> unflushed = new ArrayList<>();
  private final Runnable tick = this::flushAll;
  private boolean armed;

  WireLoop(ContextInternal context, WireLimits limits, Clock clock) {
    this.context = context;
    this.eventLoop = context.nettyEventLoop();
    this.limits = limits;
    this.clock = clock;
    this.refusals = new RefusalLog(clock);
  }

  ContextInternal context() {
    return context;
  }

  EventLoop eventLoop() {
    return eventLoop;
  }

  WireLimits limits() {
    return limits;
  }

  Clock clock() {
    return clock;
  }

  RefusalLog refusals() {
    return refusals;
  }

  FrameView view() {
    return view;
  }

  /** An empty sink, valid until the next call. */
  ByteSink sink() {
    sink.clear();
    return sink;
  }

  /** Has the connection flushed at the end of this loop round. */
  void flushLater(RemotingConnection connection) {
    unflushed.add(connection);
    if (!armed) {
      armed = true;
      eventLoop.execute(tick);
    }
  }

  /** By index: a flush that fails may end a connection, and whoever hears of it may write to others. */
  private void flushAll() {
    for (int i = 0; i < unflushed.size(); i++) {
      unflushed.get(i).flush();
    }
    unflushed.clear();
    armed = false;
  }
}
