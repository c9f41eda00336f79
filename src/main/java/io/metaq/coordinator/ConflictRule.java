package io.metaq.coordinator;

/** What is done when members of one group want different things ({@code subscriptionConflict}). Each is told in the log. */
public enum ConflictRule {
  /** A queue's progress stays in front of the first message that its reader passes over and another member wants. */
  HOLD,
  /** Nothing: what the reader of a queue does not want is passed over for all. */
  WARN,
  /** A member that does not want what those before it want is no member. */
  REFUSE
}
