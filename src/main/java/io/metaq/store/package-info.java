/**
 * The message store as a library: one commit log, consume queues and a key index derived from it. It starts no thread and knows no
 * runtime; each class names the owner whose thread may change it, and {@link io.metaq.store.StoreView} is the side for everyone.
 */
package io.metaq.store;
