package io.metaq.broker;

import io.metaq.model.OwnedBy;
import io.metaq.model.Vigil;
import io.metaq.net.WakefulLoop;
import java.util.function.Supplier;

/**
 * Keeps a loop awake for what comes next on the way of its sends. A batch is back from the writer in microseconds, a force takes a hundred
 * times as long, and when the next client sends is its own affair: so each has its own vigil, which is kept as long as it pays.
 */
@OwnedBy("its event loop")
final class SendVigils {
  private final WakefulLoop loop;
  private final Vigil forBatch;
  private final Vigil forWatermark;
  private final Vigil forSend;

  SendVigils(WakefulLoop loop, Supplier<Vigil> vigils) {
    this.loop = loop;
    this.forBatch = vigils.get();
    this.forWatermark = vigils.get();
    this.forSend = vigils.get();
  }

  /**
   * Something came.
   *
   * @param batches whether some are with the writer now
   * @param acks whether some wait for a watermark
   */
  void goOn(boolean batches, boolean acks) {
    loop.keep(batches ? forBatch : acks ? forWatermark : forSend);
  }
}
