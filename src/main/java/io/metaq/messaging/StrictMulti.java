package io.metaq.messaging;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.helpers.StrictMultiSubscriber;

/** Keeps the rules of Reactive Streams for whoever reads a stream, whatever operators it went through. */
final class StrictMulti {
  private StrictMulti() {}

  /**
   * Gives what is read from a stream; to ask for less than one item ends it with an {@link IllegalArgumentException} and cancels what it
   * comes from, which Mutiny's operators leave running.
   */
  static <T> Multi<T> of(Multi<T> stream) {
    // an operator of its own would need a package that Mutiny does not export
    return Multi.createFrom().publisher(subscriber -> stream.subscribe(new StrictMultiSubscriber<>(subscriber)));
  }
}
