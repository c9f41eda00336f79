package io.metaq.client;

import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.SendAnswer;
import io.metaq.codec.remoting.SendRequest;
import java.util.Optional;

/**
 * What goes to a broker in one request, and is sent again as it is.
 *
 * @param <R> what its senders get when it is stored, null when nobody answers
 */
interface Parcel<R> {
  String topic();

  Target target();

  /** How many messages it has. */
  int messages();

  /** Bytes of their bodies. */
  int bytes();

  /** Whether {@link #pack} has something to do. */
  boolean unpacked();

  /** Makes it smaller. Takes time in proportion to its size: not on an event loop. */
  void pack();

  /** Whether nobody answers, so that it is done when it has left. */
  default boolean oneWay() {
    return false;
  }

  /** Whether a refusal that may pass is worth another attempt. */
  default boolean repeatedWhenRefused() {
    return true;
  }

  SendRequest request(TopicQueue queue, long nowMs);

  /**
   * What an answer that says "stored" means; empty when it says otherwise.
   *
   * @throws HeaderException when it says "stored", and not where
   */
  Optional<R> receipt(SendAnswer answer, TopicQueue queue);
}
