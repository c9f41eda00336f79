package io.metaq.coordinator;

/**
 * When producers are asked about their half messages.
 *
 * @param immunityMs age before which they are not asked, unless the message has a time of its own ({@code transactionTimeOut})
 * @param checkIntervalMs from one round of questions to the next ({@code transactionCheckInterval})
 * @param maxChecks questions about one transaction before it is given up ({@code transactionCheckMax})
 * @param maxAgeMs age at which it is given up however often its producer was asked ({@code fileReservedTime})
 * @param maxOpBytes longest text of one op record ({@code transactionOpMsgMaxSize})
 * @param maxSpan a half message that lies further behind the end of its queue is stored anew, so that what must be read at a start
 *     and remembered stays bounded
 */
public record TransactionRules(
    long immunityMs, long checkIntervalMs, int maxChecks, long maxAgeMs, int maxOpBytes, long maxSpan) {
  /** The usual {@link #maxSpan()}: 128 KiB of bits. */
  public static final long DEFAULT_SPAN = 1 << 20;
}
