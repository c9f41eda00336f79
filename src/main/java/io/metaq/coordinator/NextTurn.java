package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import io.vertx.core.Context;

/**
 * Work that goes on in the next turn of its context, once, however often that is asked for until then: what else has arrived by
 * then joins, and others have their turn in between.
 */
@OwnedBy("the verticle whose context it is")
final class NextTurn {
  private final Context context;
  private final Runnable work;
  private boolean armed;

  NextTurn(Context context, Runnable work) {
    this.context = context;
    this.work = work;
  }

  void arm() {
    if (!armed) {
      armed = true;
      context.runOnContext(turn -> {
        armed = false;
        work.run();
      });
    }
  }
}
