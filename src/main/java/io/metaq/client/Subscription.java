package io.metaq.client;

import io.metaq.filter.FilterException;
import io.metaq.filter.SqlFilter;
import io.metaq.model.Topics;
import java.util.Optional;

/**
 * What to read: a topic, as a member of a group or alone. Immutable; each fluent call gives a new one.
 *
 * <p>With a group, the members share the queues and the group's progress is stored at the brokers. Without one, the subscriber reads
 * every queue for itself and nothing is stored anywhere.
 *
 * @param group empty for reading alone
 * @param expression tags joined by {@code ||}, {@code *} for all; or an SQL92 expression
 * @param bySql whether it is an SQL92 expression
 * @param position where to begin without stored progress
 * @param readAhead messages of one queue that are read before they are requested, at most (and at most 1 MiB plus one answer)
 * @param maxUnsettled messages of one queue that may be neither acknowledged nor sent back; more are not read
 */
public record Subscription(
    String topic, Optional<String> group, String expression, boolean bySql, Position position, int readAhead, int maxUnsettled) {
  private static final int DEFAULT_READ_AHEAD = 64;
  private static final int DEFAULT_MAX_UNSETTLED = 2000;

  public Subscription {
    requireValid(Topics.topicFault(topic));
    group.ifPresent(name -> requireValid(Topics.groupFault(name)));
    if (readAhead < 1 || maxUnsettled < 1) {
      requireValid("readAhead and maxUnsettled must be at least 1");
    }
    if (bySql) {
      requireCompiles(expression);
    }
  }

  /** Everything that is sent to a topic from now on, read alone. */
  public static Subscription to(String topic) {
    return new Subscription(
        topic, Optional.empty(), io.metaq.model.Subscription.ALL, false, Position.LATEST, DEFAULT_READ_AHEAD, DEFAULT_MAX_UNSETTLED);
  }

  /** As a member of a group. */
  public Subscription group(String name) {
    return new Subscription(topic, Optional.of(name), expression, bySql, position, readAhead, maxUnsettled);
  }

  /** Only messages with one of these tags. */
  public Subscription tags(String... tags) {
    return filter(String.join(" || ", tags));
  }

  /** As {@link #tags}, from one expression: {@code paid || shipped}. */
  public Subscription filter(String tagExpression) {
    return new Subscription(topic, group, tagExpression, false, position, readAhead, maxUnsettled);
  }

  /**
   * Only messages whose properties match, for example {@code region = 'eu' AND weight > 5}; the brokers select them. A broker that does
   * not filter by SQL92 fails the subscriber.
   *
   * @throws MetaqException {@code INVALID} when it is no such expression; the message names place and reason
   */
  public Subscription sql(String expression) {
    return new Subscription(topic, group, expression, true, position, readAhead, maxUnsettled);
  }

  public Subscription from(Position start) {
    return new Subscription(topic, group, expression, bySql, start, readAhead, maxUnsettled);
  }

  public Subscription readAhead(int messages) {
    return new Subscription(topic, group, expression, bySql, position, messages, maxUnsettled);
  }

  public Subscription maxUnsettled(int messages) {
    return new Subscription(topic, group, expression, bySql, position, readAhead, messages);
  }

  /** As brokers are told. */
  io.metaq.model.Subscription filter(long version) {
    return bySql
        ? io.metaq.model.Subscription.ofSql(topic, expression, version)
        : io.metaq.model.Subscription.ofTags(topic, expression, version);
  }

  private static void requireCompiles(String expression) {
    try {
      SqlFilter.compile(expression);
    } catch (FilterException fault) {
      throw MetaqException.of(MetaqException.Reason.INVALID, fault.getMessage(), fault);
    }
  }

  private static void requireValid(String fault) {
    if (fault != null) {
      throw MetaqException.of(MetaqException.Reason.INVALID, fault);
    }
  }
}
