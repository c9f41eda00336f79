package io.metaq.store.service;

/**
 * When the log is forced. All but {@code syncFlush} count under ASYNC_FLUSH, where any of them makes a force; no sender waits for it.
 *
 * @param syncFlush after each group of appends, before they are acknowledged
 * @param intervalMs how often the clock looks ({@code flushIntervalCommitLog})
 * @param leastPages dirty pages of 4 KiB that make the clock force ({@code flushCommitLogLeastPages})
 * @param thoroughIntervalMs after this long it forces whatever is dirty ({@code flushCommitLogThoroughInterval})
 * @param everyMessages the writer asks for a force after so many messages; 0: it does not ({@code flushMessages})
 * @param everyMs no message stays unforced for longer; 0: no such bound ({@code flushIntervalMs})
 */
public record FlushOptions(
    boolean syncFlush, long intervalMs, int leastPages, long thoroughIntervalMs, long everyMessages, long everyMs) {}
