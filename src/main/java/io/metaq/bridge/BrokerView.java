package io.metaq.bridge;

import io.metaq.client.BrokerInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The figures of one broker as numbers; empty where it tells none, or nothing that is a number.
 *
 * @param all brokers of the cluster, among which its master is
 */
record BrokerView(BrokerInfo broker, List<BrokerInfo> all) {
  Optional<String> text(String figure) {
    return Optional.of(broker.figure(figure)).filter(text -> !text.isEmpty());
  }

  /** As {@link BrokerInfo#rate}. */
  Optional<Double> rate(String figure) {
    return boxed(broker.rate(figure));
  }

  Optional<Double> decimal(String figure) {
    return boxed(broker.decimal(figure));
  }

  Optional<Long> whole(String figure) {
    return text(figure).filter(text -> text.matches("-?[0-9]{1,18}")).map(Long::valueOf);
  }

  /** What a slave has still to copy; empty for a master. */
  Optional<Long> lagBytes() {
    return broker.master() ? Optional.empty() : all.stream()
        .filter(other -> other.master() && other.name().equals(broker.name())).findFirst()
        .flatMap(master -> new BrokerView(master, all).whole("commitLogMaxOffset"))
        .flatMap(end -> whole("commitLogMaxOffset").map(copied -> Math.max(0, end - copied)));
  }

  private static Optional<Double> boxed(OptionalDouble figure) {
    return figure.isPresent() ? Optional.of(figure.getAsDouble()) : Optional.empty();
  }
}
