package io.metaq.messaging;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.helpers.StrictMultiSubscriber;
import io.smallrye.mutiny.operators.multi.AbstractMultiOperator;
import io.smallrye.mutiny.subscription.MultiSubscriber;

/**
 * Keeps the rules of Reactive Streams for whoever reads a stream, whatever operators it went through: to ask for less than one item ends
 * it with an {@link IllegalArgumentException} and cancels what it comes from, which Mutiny's operators leave running.
 */
final class StrictMulti<T> extends AbstractMultiOperator<T, T> {
  StrictMulti(Multi<? extends T> upstream) {
    super(upstream);
  }

  @Override
  public void subscribe(MultiSubscriber<? super T> downstream) {
    upstream.subscribe(new StrictMultiSubscriber<>(downstream));
  }
}
