package io.metaq.bridge;

/**
 * What was seen at a watched path.
 *
 * @param atMs when, ms since 1970; one that was seen again is as old as it was at first
 */
record Sight(Answer answer, long atMs) {}
