/** What travels between verticles over the local event bus, and how: addresses, batches, the by-reference codec, the handler guard. */
package io.metaq.bus;
