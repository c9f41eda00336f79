package io.metaq.client;

import java.util.Optional;

/** Who gets the messages of a queue. */
interface Recipients {
  /** Whether anybody asked for messages yet. */
  boolean asked();

  /** Whether nobody wants this message: it is passed over. */
  boolean unwanted(Received received);

  /** Whose a message is; empty when its topic has no subscriber here. */
  Optional<Subscriber> of(Received received);

  /** The subscriber of a topic. */
  record OfTopic(Subscriber subscriber) implements Recipients {
    @Override
    public boolean asked() {
      return subscriber.feed().asked();
    }

    @Override
    public boolean unwanted(Received received) {
      return !TagFilter.admits(subscriber.filter(), received.message());
    }

    @Override
    public Optional<Subscriber> of(Received received) {
      return Optional.of(subscriber);
    }
  }
}
