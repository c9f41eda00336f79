package io.metaq.bridge;

import io.metaq.client.FoundMessage;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.SendReceipt;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sends messages; one that carries an Idempotency-Key once in a window. The key is the message's id at the broker, so whoever looks there
 * finds it, also after a restart and through another bridge. The broker's index is a moment behind its log: what this process sent lately, or
 * is sending, it knows itself.
 */
@OwnedBy("BridgeVerticle")
final class Sender {
  private static final int MOST_REMEMBERED = 10_000;

  private final MetaqClient client;
  private final long windowMs;
  private final Clock clock;
  private final Map<Named, Sent> lately = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Named, Sent> eldest) {
      return size() > MOST_REMEMBERED;
    }
  };

  private record Named(String topic, IdempotencyKey key) {}

  private record Sent(Future<SendReceipt> receipt, long atMs) {}

  /** @param windowMs how long a key counts */
  Sender(MetaqClient client, long windowMs, Clock clock) {
    this.client = client;
    this.windowMs = windowMs;
    this.clock = clock;
  }

  /**
   * Refuses a message that would be refused before any broker is asked, as one that is too long.
   *
   * @throws BridgeException {@code INVALID_MESSAGE}
   */
  void check(Message message) {
    try {
      client.check(message);
    } catch (MetaqException refused) {
      throw Fault.INVALID_MESSAGE.because(refused.getMessage());
    }
  }

  /** With a key that was used in the window: the receipt of the message that was stored then. */
  Future<SendReceipt> send(Message message, Optional<IdempotencyKey> key) {
    return key.isPresent() ? once(new Named(message.topic(), key.get()), message) : Unis.future(client.send(message));
  }

  private Future<SendReceipt> once(Named named, Message message) {
    Sent before = lately.get(named);
    if (before != null && clock.millis() - before.atMs < windowMs) {
      return before.receipt;
    }
    Future<SendReceipt> receipt = stored(named).compose(found -> found.isPresent()
        ? Future.succeededFuture(receipt(found.get()))
        : Unis.future(client.send(message, named.key.text())));
    Sent sent = new Sent(receipt, clock.millis());
    lately.remove(named);
    lately.put(named, sent);
    return receipt.onFailure(failure -> lately.remove(named, sent));
  }

  private Future<Optional<FoundMessage>> stored(Named named) {
    return Unis.future(client.admin().messageByUniqueId(named.topic, named.key.text()))
        .map(found -> found.filter(message -> clock.millis() - message.storeTimestampMs() < windowMs))
        .recover(failure -> noTopic(failure) ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(failure));
  }

  /** The first message to a topic that is made by it. */
  private static boolean noTopic(Throwable failure) {
    return failure instanceof MetaqException known
        && (known.reason() == MetaqException.Reason.NOT_FOUND || known.reason() == MetaqException.Reason.NO_ROUTE);
  }

  private static SendReceipt receipt(FoundMessage found) {
    return new SendReceipt(found.messageId(), found.offsetId(), found.message().topic(), found.broker(), found.queueId(),
        found.queueOffset(), SendReceipt.Stage.STORED, Optional.empty());
  }
}
