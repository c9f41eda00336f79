package io.metaq.model;

/** What a broker is in its group ({@code brokerRole}). */
public enum BrokerRole {
  /** Takes messages and answers when it has them itself. */
  ASYNC_MASTER,
  /** Takes messages and answers when a slave has them too. */
  SYNC_MASTER,
  /** Follows a master. */
  SLAVE
}
