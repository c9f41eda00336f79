package io.metaq.bridge;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.SendReceipt;
import io.vertx.core.Future;
import java.util.Optional;

/** Sends messages. */
final class Sender {
  private final MetaqClient client;

  Sender(MetaqClient client) {
    this.client = client;
  }

  Future<SendReceipt> send(Message message, Optional<IdempotencyKey> key) {
    if (key.isPresent()) {
      throw Fault.INVALID.because("Idempotency-Key is not served by this version; send without it");
    }
    return Unis.future(client.send(message));
  }
}
