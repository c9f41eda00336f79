/** The client of {@code io.metaq.client} against the packaged broker. */
package io.metaq.it.client;
