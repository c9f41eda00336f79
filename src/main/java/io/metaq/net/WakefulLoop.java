package io.metaq.net;

import io.metaq.model.OwnedBy;
import io.metaq.model.Vigil;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;

/**
 * Keeps an event loop at its sockets and tasks, round after round, while a {@link Vigil} lasts, instead of letting it sleep until the
 * kernel wakes it. Between rounds in which nothing came other threads have the processor.
 *
 * <p>Netty runs a task that a task adds in the same round, before it looks at the sockets; only one added for after the round lets it look.
 * So two tasks take turns. A loop that is of another kind than we know just sleeps.
 */
@OwnedBy("its event loop")
public final class WakefulLoop {
  private final EventLoop loop;
  /** The same; null when it is of another kind. */
  private final SingleThreadEventLoop rounds;
  private final Runnable afterRound = this::look;
  private final Runnable inNextRound = this::armAfterRound;
  private Vigil kept;
  private boolean armed;
  private boolean fresh;

  /** @param context on the loop */
  public WakefulLoop(Context context) {
    this.loop = ((ContextInternal) context).nettyEventLoop();
    this.rounds = loop instanceof SingleThreadEventLoop known ? known : null;
  }

  /** Something came, and more is expected: ends the vigil that is kept, if any, as worth it, and begins this one. */
  public void keep(Vigil vigil) {
    if (kept != null) {
      kept.end(true);
    }
    kept = rounds != null && vigil.begin() ? vigil : null;
    fresh = true;
    if (kept != null && !armed) {
      armed = true;
      armAfterRound();
    }
  }

  private void armAfterRound() {
    rounds.executeAfterEventLoopIteration(afterRound);
  }

  private void look() {
    if (kept != null && !kept.lasts()) {
      kept.end(false);
      kept = null;
    }
    if (kept == null) {
      armed = false;
      return;
    }
    if (!fresh) {
      kept.letOthers();
    }
    fresh = false;
    loop.execute(inNextRound);
  }
}
