/** Bytes of the store's derived files: consume queue unit, key index, checkpoint. */
package io.metaq.codec.store;
