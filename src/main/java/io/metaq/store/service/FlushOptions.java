package io.metaq.store.service;

/**
 * When the log is forced.
 *
 * @param syncFlush after each group of appends, before they are acknowledged
 * @param intervalMs how often the clock looks ({@code flushIntervalCommitLog})
 * @param leastPages dirty pages of 4 KiB that make the clock force ({@code flushCommitLogLeastPages})
 * @param thoroughIntervalMs after this long it forces whatever is dirty ({@code flushCommitLogThoroughInterval})
 */
public record FlushOptions(boolean syncFlush, long intervalMs, int leastPages, long thoroughIntervalMs) {}
