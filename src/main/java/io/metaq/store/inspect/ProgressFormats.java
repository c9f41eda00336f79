package io.metaq.store.inspect;

import java.util.Optional;

/** Knows the files of the folder {@code config} that others than the store read. */
@FunctionalInterface
public interface ProgressFormats {
  /** Why a file of this name could not be read at a start, a clause; empty when it could, or when the name says nothing. */
  Optional<String> faultOf(String fileName, byte[] content);
}
