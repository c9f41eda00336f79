package io.metaq.client;

import io.metaq.filter.FilterException;
import io.metaq.filter.SqlFilter;
import io.metaq.model.OwnedBy;
import io.metaq.model.Topics;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * What to read: a topic, as a member of a group or alone. Immutable; each fluent call gives a new one.
 *
 * <pre>{@code
 * Subscription.to("orders").group("billing").tags("paid", "shipped").from(Position.EARLIEST)
 * }</pre>
 *
 * <p>With a group, the members share the queues and the group's progress is stored at the brokers. A {@link #broadcasting} group's
 * members each read all of them, and each stores its progress in a file. Without a group, the subscriber reads every queue for itself and
 * nothing is stored anywhere.
 */
public final class Subscription {
  private static final Duration LONGEST = Duration.ofDays(1);

  private final Settings settings;

  /** What can be set; never changed once a subscription has it. */
  @OwnedBy("the call that makes a subscription of it")
  private static final class Settings {
    private final String topic;
    private Optional<String> group = Optional.empty();
    private String expression = io.metaq.model.Subscription.ALL;
    private boolean bySql;
    private Position position = Position.LATEST;
    private boolean ordered;
    private boolean broadcasting;
    private Allocation allocation = Allocation.AVERAGE;
    private OptionalInt maxRetries = OptionalInt.empty();
    private int readAhead = 64;
    private int maxUnsettled = 2000;
    private Duration handover = Duration.ofSeconds(5);
    private Duration stuckAfter = Duration.ofMinutes(1);

    private Settings(String topic) {
      this.topic = topic;
    }

    private Settings(Settings other) {
      topic = other.topic;
      group = other.group;
      expression = other.expression;
      bySql = other.bySql;
      position = other.position;
      ordered = other.ordered;
      broadcasting = other.broadcasting;
      allocation = other.allocation;
      maxRetries = other.maxRetries;
      readAhead = other.readAhead;
      maxUnsettled = other.maxUnsettled;
      handover = other.handover;
      stuckAfter = other.stuckAfter;
    }
  }

  private Subscription(Settings settings) {
    this.settings = settings;
  }

  /**
   * Everything that is sent to a topic from now on, read alone.
   *
   * @throws MetaqException {@code INVALID} when no topic can have this name
   */
  public static Subscription to(String topic) {
    requireValid(Topics.topicFault(topic));
    return new Subscription(new Settings(topic));
  }

  /**
   * As a member of a group.
   *
   * @throws MetaqException {@code INVALID} when no group can have this name
   */
  public Subscription group(String name) {
    requireValid(Topics.groupFault(name));
    return with(to -> to.group = Optional.of(name));
  }

  /** Only messages with one of these tags. */
  public Subscription tags(String... tags) {
    requireValid(tags == null || tags.length == 0 ? "tags() needs a tag; without it all messages come" : null);
    for (String tag : tags) {
      requireValid(tag == null || tag.isBlank() || tag.contains("||") ? "'" + tag + "' is no tag; filter() takes expressions" : null);
    }
    return filter(String.join(" || ", tags));
  }

  /** As {@link #tags}, from one expression: {@code paid || shipped}; {@code *} is all. */
  public Subscription filter(String tagExpression) {
    requireValid(tagExpression == null ? "a filter must not be null" : null);
    return with(to -> {
      to.expression = tagExpression;
      to.bySql = false;
    });
  }

  /**
   * Only messages whose properties match, for example {@code region = 'eu' AND weight > 5}; the brokers select them. A broker that does
   * not filter by SQL92 fails the subscriber.
   *
   * @throws MetaqException {@code INVALID} when it is no such expression; the message names place and reason
   */
  public Subscription sql(String expression) {
    requireValid(expression == null ? "an SQL92 expression must not be null" : null);
    requireCompiles(expression);
    return with(to -> {
      to.expression = expression;
      to.bySql = true;
    });
  }

  /** Where to begin in a queue without stored progress; {@link Position#LATEST} unless it is said. */
  public Subscription from(Position start) {
    requireValid(start == null ? "a position must not be null" : null);
    return with(to -> to.position = start);
  }

  /**
   * One message of a queue at a time: the next is delivered when the one before is settled. The group's members lock their queues at the
   * brokers, so that this holds through every change of members; nothing is delivered while a lock is lost. A message that is sent back is
   * delivered again in its place, after a second or after the delay given.
   */
  public Subscription ordered() {
    return with(to -> to.ordered = true);
  }

  /**
   * Every member of the group reads every queue; each keeps its progress in a file of its own ({@link
   * MetaqClientOptions#setLocalOffsets}). A message that is sent back is delivered again to the same subscriber, after a second or after
   * the delay given, and dropped with a warning when its retries are used up. All members of a group must agree on this.
   */
  public Subscription broadcasting() {
    return with(to -> to.broadcasting = true);
  }

  /** How the group's members divide the queues; {@link Allocation#AVERAGE} unless it is said. All of them must agree. */
  public Subscription allocation(Allocation strategy) {
    requireValid(strategy == null ? "a strategy must not be null" : null);
    return with(to -> to.allocation = strategy);
  }

  /**
   * How often a message is delivered again after its first delivery; sent back once more it goes to the dead letters. Unless it is
   * said, as often as the broker has it for the group, 16 times by default; with {@link #ordered} without end.
   *
   * @param times at least 0
   */
  public Subscription maxRetries(int times) {
    requireValid(times < 0 ? "maxRetries must be at least 0, not " + times : null);
    return with(to -> to.maxRetries = OptionalInt.of(times));
  }

  /** Messages of one queue that are read before they are requested, at most; and at most 1 MiB plus one answer. 64 unless it is said. */
  public Subscription readAhead(int messages) {
    requireValid(messages < 1 ? "readAhead must be at least 1, not " + messages : null);
    return with(to -> to.readAhead = messages);
  }

  /** Messages of one queue that may be neither acknowledged nor sent back; more are not read. 2000 unless it is said. */
  public Subscription maxUnsettled(int messages) {
    requireValid(messages < 1 ? "maxUnsettled must be at least 1, not " + messages : null);
    return with(to -> to.maxUnsettled = messages);
  }

  /**
   * How long a queue that moves to another member waits for the messages of it that the subscriber has in hand; what is settled by then
   * is not delivered again. 5 s unless it is said.
   */
  public Subscription handover(Duration limit) {
    requireValid(limit == null || limit.isNegative() || limit.compareTo(LONGEST) > 0 ? "handover must be 0 to 1 day, not " + limit : null);
    return with(to -> to.handover = limit);
  }

  /** How long a message may be in the subscriber's hands before a warning is logged and {@link MemberStatus} shows it. 1 min, at most 1 day. */
  public Subscription stuckAfter(Duration limit) {
    requireValid(limit == null || limit.isNegative() || limit.isZero() ? "stuckAfter must be above 0, not " + limit : null);
    return with(to -> to.stuckAfter = limit.compareTo(LONGEST) > 0 ? LONGEST : limit);
  }

  public String topic() {
    return settings.topic;
  }

  /** Empty for reading alone. */
  public Optional<String> group() {
    return settings.group;
  }

  /** Tags joined by {@code ||}, {@code *} for all; or an SQL92 expression. */
  public String expression() {
    return settings.expression;
  }

  /** Whether {@link #expression} is an SQL92 expression. */
  public boolean bySql() {
    return settings.bySql;
  }

  public Position position() {
    return settings.position;
  }

  public boolean isOrdered() {
    return settings.ordered;
  }

  public boolean isBroadcasting() {
    return settings.broadcasting;
  }

  public Allocation allocation() {
    return settings.allocation;
  }

  /** Empty for the usual number. */
  public OptionalInt maxRetries() {
    return settings.maxRetries;
  }

  public int readAhead() {
    return settings.readAhead;
  }

  public int maxUnsettled() {
    return settings.maxUnsettled;
  }

  public Duration handover() {
    return settings.handover;
  }

  public Duration stuckAfter() {
    return settings.stuckAfter;
  }

  /** As brokers are told. */
  io.metaq.model.Subscription filter(long version) {
    return settings.bySql
        ? io.metaq.model.Subscription.ofSql(settings.topic, settings.expression, version)
        : io.metaq.model.Subscription.ofTags(settings.topic, settings.expression, version);
  }

  private Subscription with(Consumer<Settings> change) {
    Settings changed = new Settings(settings);
    change.accept(changed);
    return new Subscription(changed);
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

  @Override
  public String toString() {
    return "Subscription to " + settings.topic + settings.group.map(name -> " in group " + name).orElse(" alone")
        + ", filter '" + settings.expression + "'";
  }
}
