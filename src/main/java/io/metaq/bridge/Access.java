package io.metaq.bridge;

/** What a route does, and so who may call it. */
enum Access {
  /** Tells only how the process is: probes and scrapers come under names of their own. */
  OPEN,
  /** Reads. The names the bridge answers to are checked; pages of other origins cannot see the answer. */
  READ,
  /** Stores messages, or takes a group's: no page of another origin may cause it. */
  CHANGE,
  /** As {@link #CHANGE}, and only from the addresses that may administer. */
  ADMIN
}
