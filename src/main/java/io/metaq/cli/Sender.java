package io.metaq.cli;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.SendReceipt;
import io.metaq.model.OwnedBy;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Sends many messages from one thread, a bounded number of them at a time; the first failure ends it. */
@OwnedBy("the command's main thread; answers come on the client's")
final class Sender {
  private static final int IN_FLIGHT = 1024;

  private final MetaqClient client;
  private final Consumer<SendReceipt> onStored;
  private final Semaphore permits = new Semaphore(IN_FLIGHT);
  private final AtomicLong stored = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  Sender(MetaqClient client, Consumer<SendReceipt> onStored) {
    this.client = client;
    this.onStored = onStored;
  }

  /** Sends when there is room for one more. */
  void send(Message message) {
    permits.acquireUninterruptibly();
    throwFailure();
    client.send(message).subscribe().with(this::done, this::failed);
  }

  /** Waits for all answers. */
  void finish() {
    permits.acquireUninterruptibly(IN_FLIGHT);
    throwFailure();
  }

  long stored() {
    return stored.get();
  }

  private void done(SendReceipt receipt) {
    onStored.accept(receipt);
    stored.incrementAndGet();
    permits.release();
  }

  private void failed(Throwable cause) {
    failure.compareAndSet(null, cause);
    permits.release();
  }

  private void throwFailure() {
    if (failure.get() instanceof MetaqException typed) {
      throw typed;
    }
    if (failure.get() != null) {
      throw new IllegalStateException("the send failed", failure.get());
    }
  }
}
