package io.metaq.bridge;

import io.metaq.client.MetaqException;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.metaq.model.Topics;
import java.util.Optional;

/**
 * What a subscriber wants to read.
 *
 * @param group empty for a private reader
 * @param filter tags joined by {@code ||} or an SQL92 expression
 * @param from where a reader without a position, and a group without progress, begins
 */
record Wanted(String topic, Optional<String> group, String filter, boolean bySql, Position from) {
  private static final int READ_AHEAD = 32;
  private static final String ALL = "*";

  /** Of texts as they came. */
  static Wanted of(String topic, Optional<String> group, Optional<String> filter, Optional<String> filterType, Position from) {
    Call.checked(topic, Topics.topicFault(topic));
    group.ifPresent(name -> Call.checked(name, Topics.groupFault(name)));
    boolean bySql = switch (filterType.orElse("tag")) {
      case "tag" -> false;
      case "sql" -> true;
      default -> throw Fault.INVALID.because("'filterType' must be tag or sql");
    };
    Wanted wanted = new Wanted(topic, group, filter.filter(text -> !text.isBlank()).orElse(ALL), bySql, from);
    wanted.subscription(from);
    return wanted;
  }

  /** @throws BridgeException {@code INVALID_FILTER} when the expression is none */
  Subscription subscription(Position position) {
    try {
      Subscription all = Subscription.to(topic).readAhead(READ_AHEAD).from(position);
      Subscription member = group.isPresent() ? all.group(group.get()) : all;
      return bySql ? member.sql(filter) : member.filter(filter);
    } catch (MetaqException refused) {
      throw Fault.INVALID_FILTER.because(refused.getMessage());
    }
  }

  /** Whether no message is kept from it. */
  boolean takesAll() {
    return !bySql && filter.equals(ALL);
  }

  /** Whether both may be one member of their group. */
  boolean sameFilter(Wanted other) {
    return filter.equals(other.filter) && bySql == other.bySql;
  }
}
