package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A list of messages on its way: succeeds with all receipts in the order of the list, or fails with what became of each. */
@OwnedBy("its client's context")
final class SendingAll implements Home.Work<List<SendReceipt>> {
  private final Promise<List<SendReceipt>> promise = Promise.promise();
  private final int size;
  private final Map<Integer, SendReceipt> stored = new HashMap<>();
  private final TreeMap<Integer, MetaqException> failed = new TreeMap<>();
  private final List<Home.Work<?>> parts = new ArrayList<>();

  SendingAll(int size) {
    this.size = size;
    if (size == 0) {
      promise.complete(List.of());
    }
  }

  /** Adds messages that are sent one by one or together. */
  void add(List<Integer> places, Home.Work<List<SendReceipt>> sending) {
    parts.add(sending);
    sending.future().onComplete(result -> took(places, result));
  }

  /** Notes a message that cannot be sent. */
  void refuse(int place, MetaqException fault) {
    failed.put(place, fault);
    endIfComplete();
  }

  @Override
  public Future<List<SendReceipt>> future() {
    return promise.future();
  }

  @Override
  public void cancel() {
    parts.forEach(Home.Work::cancel);
  }

  private void took(List<Integer> places, AsyncResult<List<SendReceipt>> result) {
    for (int i = 0; i < places.size(); i++) {
      if (result.succeeded()) {
        stored.put(places.get(i), result.result().get(i));
      } else {
        failed.put(places.get(i), (MetaqException) result.cause());
      }
    }
    endIfComplete();
  }

  private void endIfComplete() {
    if (stored.size() + failed.size() < size) {
      return;
    }
    if (failed.isEmpty()) {
      promise.complete(List.copyOf(new TreeMap<>(stored).values()));
    } else {
      promise.fail(new SendAllException(stored, failed));
    }
  }
}
