package io.metaq.broker;

import io.metaq.coordinator.api.PopProxy;
import io.metaq.coordinator.api.SettleOutcome;
import io.metaq.coordinator.api.SettleRequest;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * What clients say of messages they popped, on its way to the coordinator: all of a loop round leaves in one message.
 *
 * <p>Bound: {@value #MAX_WAITING} without an outcome; beyond that the connections that bring more are not read, until half of them
 * are gone.
 */
@OwnedBy("its event loop")
final class SettlePipe {
  static final int MAX_WAITING = 16_384;

  private final Context context;
  private final PopProxy coordinator;
  private final PausedReaders paused = new PausedReaders();
  private List<SettleRequest> requests = new ArrayList<>();
  private List<Promise<SettleOutcome>> promises = new ArrayList<>();
  private int waiting;

  SettlePipe(Context context, PopProxy coordinator) {
    this.context = context;
    this.coordinator = coordinator;
  }

  /** Has it carried out; the future never fails. */
  Future<SettleOutcome> settle(Connection connection, SettleRequest request) {
    if (requests.isEmpty()) {
      context.runOnContext(tick -> send());
    }
    Promise<SettleOutcome> promise = Promise.promise();
    requests.add(request);
    promises.add(promise);
    waiting++;
    if (waiting >= MAX_WAITING) {
      paused.pause(connection);
    }
    return promise.future();
  }

  /** True when everything has its outcome. */
  boolean idle() {
    return waiting == 0;
  }

  void gone(Connection connection) {
    paused.gone(connection);
  }

  private void send() {
    List<SettleRequest> sent = requests;
    List<Promise<SettleOutcome>> asked = promises;
    requests = new ArrayList<>();
    promises = new ArrayList<>();
    coordinator.settle(sent).onComplete(
        outcomes -> tell(asked, outcomes),
        failure -> {
          SettleOutcome notNow = SettleOutcome.refused(ResultCode.SYSTEM_ERROR, "pops are not served here now: "
              + failure.getMessage());
          tell(asked, asked.stream().map(promise -> notNow).toList());
        });
  }

  private void tell(List<Promise<SettleOutcome>> asked, List<SettleOutcome> outcomes) {
    waiting -= asked.size();
    for (int i = 0; i < asked.size(); i++) {
      Promise<SettleOutcome> promise = asked.get(i);
      SettleOutcome outcome = outcomes.get(i);
      Telling.tell("an acknowledgement", () -> promise.complete(outcome));
    }
    if (waiting <= MAX_WAITING / 2) {
      paused.resume();
    }
  }
}
