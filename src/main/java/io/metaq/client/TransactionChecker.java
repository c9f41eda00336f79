package io.metaq.client;

import io.smallrye.mutiny.Uni;

/** Tells a broker what became of a transaction whose verdict it has not heard. */
@FunctionalInterface
public interface TransactionChecker {
  /**
   * Looks up what the local work came to. Called on the client's context, which it must not block; it may be asked several times
   * about the same message, and by any client of the group. A failure counts as {@link Verdict#UNKNOWN}.
   *
   * @param message as it was sent, with {@link Message#messageId}
   */
  Uni<Verdict> check(Message message);
}
