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

  /**
   * Sends with a client.
   *
   * @param onStored told of each message on the client's thread, one at a time; a {@link CommandFailure} of it ends the sending
   */
  Sender(MetaqClient client, Consumer<SendReceipt> onStored) {
    this.client = client;
    this.onStored = onStored;
  }

  /** Sends when there is room for one more. */
  void send(Message message) {
    permits.acquireUninterruptibly();
    try {
      throwFailure();
    } catch (RuntimeException failed) {
      permits.release();
      throw failed;
    }
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
    stored.incrementAndGet();
    try {
      onStored.accept(receipt);
    } catch (CommandFailure untold) {
      failure.compareAndSet(null, untold);
    } finally {
      permits.release();
    }
  }

  private void failed(Throwable cause) {
    failure.compareAndSet(null, cause);
    permits.release();
  }

  /** Throws the first failure if there was one. */
  void throwFailure() {
    if (failure.get() instanceof MetaqException typed) {
      throw typed;
    }
    if (failure.get() instanceof CommandFailure untold) {
      throw untold;
    }
    if (failure.get() != null) {
      throw new IllegalStateException("the send failed", failure.get());
    }
  }
}
