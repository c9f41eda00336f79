package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;

/**
 * A request of one loop to a client of another: travels to the loop that has the connection.
 *
 * @param command given away; one-way or not
 * @param timeoutMs how long its answer is waited for
 */
record Relay(long connectionId, RemotingCommand command, long timeoutMs) {
  /** What came of it. */
  enum End {
    /** The client answered. */
    ANSWERED,
    /** Written; it was one-way. */
    SENT,
    /** The connection is not there, or ended while the answer was waited for. */
    GONE,
    TIMED_OUT,
    /** Not sent, because too much waits for clients already. */
    REFUSED
  }

  /**
   * The end of a relay, told to whoever asked for it.
   *
   * @param answer of the client, whatever its code; null unless it answered
   * @param detail why there is none, as a clause
   */
  record Outcome(End end, RemotingCommand answer, String detail) {}
}
