package io.metaq.coordinator.api;

/**
 * A whole table in the form of its file under {@code config/}, as slaves are given it.
 *
 * @param json given away
 * @param ownedSinceMs when its owner read the file; what the owner was told in the last seconds before may be missing
 */
public record TableBody(byte[] json, long ownedSinceMs) {}
