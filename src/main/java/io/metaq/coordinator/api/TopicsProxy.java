package io.metaq.coordinator.api;

import io.metaq.bus.LocalBus;
import io.metaq.model.TopicConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/**
 * What can be asked of TopicCoordinatorVerticle. Every call crosses a thread; it completes on the caller's context, after a change was
 * told to every loop ({@link TopicsDelta}) and is on disk.
 */
public final class TopicsProxy {
  public static final String CREATE = "metaq.topics.create";
  public static final String UPDATE = "metaq.topics.update";
  public static final String DELETE = "metaq.topics.delete";
  public static final String SNAPSHOT = "metaq.topics.snapshot";

  private final Vertx vertx;

  public TopicsProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Asks for one topic to exist. */
  public sealed interface Create permits FromTemplate, Plain {}

  /** A producer's first send to an unknown topic: copy {@code template}, at most {@code queues} queues. */
  public record FromTemplate(String topic, String template, int queues, String remote) implements Create {}

  /** A topic the broker needs itself (retry, dead letter): made as given unless it exists. */
  public record Plain(TopicConfig config) implements Create {}

  /**
   * The topic as it is now: the existing one, or the one just made from the template; empty when the name is not allowed, or the
   * template does not exist or does not permit copies ({@code TBW102} does not while automatic creation is switched off). Gets at
   * least one queue and at most as many as the template.
   */
  public Future<Optional<TopicConfig>> createFromTemplate(String topic, String template, int queues, String remote) {
    return create(new FromTemplate(topic, template, queues, remote));
  }

  /** The topic as it is now: the existing one, or {@code config}, whose name must be allowed. */
  public Future<TopicConfig> ensure(TopicConfig config) {
    return create(new Plain(config)).map(Optional::orElseThrow);
  }

  /**
   * An operator's wish about one topic.
   *
   * @param config its attributes do not count
   * @param attributeChanges in the form of {@link io.metaq.model.TopicAttributes}
   */
  public record Update(TopicConfig config, String attributeChanges) {}

  /**
   * Makes the topic, or changes it to what is given.
   *
   * @return why not, as a sentence; empty when it is as wished now
   */
  public Future<Optional<String>> update(TopicConfig config, String attributeChanges) {
    return vertx.eventBus()
        .<Optional<String>>request(UPDATE, new Update(config, attributeChanges), LocalBus.LOCAL)
        .map(message -> message.body());
  }

  /** Takes a topic out of the table; whether it was there. */
  public Future<Boolean> delete(String topic) {
    return vertx.eventBus().<Boolean>request(DELETE, topic, LocalBus.LOCAL).map(message -> message.body());
  }

  /** The whole table. */
  public Future<TopicsDelta> snapshot() {
    return vertx.eventBus().<TopicsDelta>request(SNAPSHOT, "all", LocalBus.LOCAL).map(message -> message.body());
  }

  private Future<Optional<TopicConfig>> create(Create wish) {
    return vertx.eventBus().<Optional<TopicConfig>>request(CREATE, wish, LocalBus.LOCAL).map(message -> message.body());
  }
}
