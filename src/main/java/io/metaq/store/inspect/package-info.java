/**
 * Reads a store's files without changing a byte of them and without its lock: whether they are sound, and what they hold. Nothing
 * here starts a thread; every class is used by the one thread that asks.
 */
package io.metaq.store.inspect;
