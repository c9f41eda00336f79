package io.metaq.nameserver;

import java.util.Optional;

/** What became of a {@link Registration}. */
sealed interface RegisterOutcome {
  /**
   * It is in the table.
   *
   * @param first whether this name and id were not known before
   * @param master for a slave: where its master is, when it has one
   */
  record Accepted(boolean first, Optional<Master> master) implements RegisterOutcome {}

  /** A newer broker holds the same name and id; nothing changed. */
  record Outdated(String holder) implements RegisterOutcome {}

  /** It breaks a rule; nothing changed. */
  record Refused(String reason) implements RegisterOutcome {}

  /** Addresses of a slave's master: for requests, and for replication. */
  record Master(String address, String haAddress) {}
}
