package io.metaq.broker;

import java.util.Optional;
import java.util.stream.Stream;

/** What VIEW_BROKER_STATS_DATA can be asked for, under RocketMQ's names. */
enum Statistic {
  /** Of a topic, whoever stored the messages. */
  TOPIC_PUT_NUMS(Source.TOPIC_PUTS, Tally.MESSAGES, Tally.MESSAGES),
  TOPIC_PUT_SIZE(Source.TOPIC_PUTS, Tally.BYTES, Tally.MESSAGES),
  /** Of a topic and a group, joined by {@code @}. */
  GROUP_GET_NUMS(Source.GROUP_GETS, Tally.MESSAGES, Tally.CALLS),
  GROUP_GET_SIZE(Source.GROUP_GETS, Tally.BYTES, Tally.CALLS),
  SNDBCK_PUT_NUMS(Source.SEND_BACKS, Tally.MESSAGES, Tally.CALLS),
  /** Of the whole broker, under its cluster's name. */
  BROKER_PUT_NUMS(Source.BROKER_PUTS, Tally.MESSAGES, Tally.MESSAGES),
  BROKER_GET_NUMS(Source.BROKER_GETS, Tally.MESSAGES, Tally.CALLS);

  /** Where the counts come from. */
  enum Source {
    TOPIC_PUTS,
    GROUP_GETS,
    SEND_BACKS,
    BROKER_PUTS,
    BROKER_GETS
  }

  private final Source source;
  private final int lane;
  private final int timesLane;

  Statistic(Source source, int lane, int timesLane) {
    this.source = source;
    this.lane = lane;
    this.timesLane = timesLane;
  }

  static Optional<Statistic> of(String name) {
    return Stream.of(values()).filter(statistic -> statistic.name().equals(name)).findFirst();
  }

  Source source() {
    return source;
  }

  /** Which number of a {@link Tally} is summed. */
  int lane() {
    return lane;
  }

  /** Which number of a {@link Tally} says how often it was added to. */
  int timesLane() {
    return timesLane;
  }

  /** How counts of a group in a topic are named. */
  static String keyOf(String topic, String group) {
    return topic + "@" + group;
  }
}
