package io.metaq.client;

/** What becomes of a transaction's message. */
public enum Verdict {
  /** Consumers get it. */
  COMMIT,
  /** Nobody ever gets it. */
  ROLLBACK,
  /**
   * Not known yet: the broker asks a {@link TransactionChecker} of the group later, and again, up to its limit (15 times unless
   * set).
   */
  UNKNOWN
}
