package io.metaq.client;

/**
 * How a transaction ended.
 *
 * @param message where its message was put aside until the verdict; consumers find it elsewhere, by the same message id
 * @param verdict what the local work came to
 * @param confirmed whether the broker has said that it holds the verdict; if not, it asks the group's {@link TransactionChecker}
 *     later
 */
public record TransactionReceipt(SendReceipt message, Verdict verdict, boolean confirmed) {}
