package io.metaq.client;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A broker as the name servers know it and as it describes itself.
 *
 * @param id 0 for a master, greater for its slaves
 * @param address {@code host:port}
 * @param fault why it could not be asked; its figures are empty then
 * @param figures what it tells of itself, under RocketMQ's names: {@code putTps}, {@code commitLogDiskRatio} and many more
 */
public record BrokerInfo(
    String cluster, String name, long id, String address, Optional<String> fault, Map<String, String> figures) {
  public BrokerInfo {
    figures = Map.copyOf(figures);
  }

  public boolean master() {
    return id == 0;
  }

  /** A figure, empty text when the broker has none of that name. */
  public String figure(String name) {
    return figures.getOrDefault(name, "");
  }

  /** A figure as a number; empty when the broker has none of that name, or it is none. */
  public OptionalDouble decimal(String name) {
    return number(figure(name));
  }

  /** Of a figure that is several rates, the first, which is the one over ten seconds; empty where RocketMQ tells a blank in its first seconds. */
  public OptionalDouble rate(String name) {
    return number(figure(name).split(" ", -1)[0]);
  }

  static OptionalDouble number(String text) {
    try {
      double value = Double.parseDouble(text);
      return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    } catch (NumberFormatException none) {
      return OptionalDouble.empty();
    }
  }
}
