package io.metaq.bridge;

import io.metaq.client.TopicQueue;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Takes what it is given when the test says so. */
final class HandOutlet implements Outlet {
  private final List<Got> got = new ArrayList<>();
  private final ArrayDeque<Promise<Void>> unwritten = new ArrayDeque<>();
  private boolean atOnce = true;
  private Runnable onMessage = () -> {};
  private Throwable failure;

  /** What is remembered of a message. */
  record Got(TopicQueue queue, long queueOffset, String position) {}

  /** Whether the network takes everything during the call that writes. */
  void takeAtOnce(boolean yes) {
    atOnce = yes;
  }

  void onMessage(Runnable action) {
    onMessage = action;
  }

  List<Got> got() {
    return got;
  }

  Throwable failure() {
    return failure;
  }

  int unwritten() {
    return unwritten.size();
  }

  void writeOne() {
    if (!unwritten.isEmpty()) {
      unwritten.poll().complete();
    }
  }

  void writeAll() {
    while (!unwritten.isEmpty()) {
      writeOne();
    }
  }

  @Override
  public Future<Void> message(Item item) {
    got.add(new Got(item.message().queue(), item.message().found().queueOffset(), item.position()));
    onMessage.run();
    if (atOnce) {
      return Future.succeededFuture();
    }
    Promise<Void> written = Promise.promise();
    unwritten.add(written);
    return written.future();
  }

  @Override
  public void failed(Throwable cause) {
    failure = cause;
  }
}
