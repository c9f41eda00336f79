package io.metaq.coordinator;

import io.metaq.bus.BusAddress;
import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.CoordinatorOptions.TopicRules;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.coordinator.api.TopicsProxy.Create;
import io.metaq.coordinator.api.TopicsProxy.FromTemplate;
import io.metaq.coordinator.api.TopicsProxy.Plain;
import io.metaq.coordinator.api.TopicsProxy.Update;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.TopicConfig;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the topics: reads {@code topics.json}, adds the system topics, makes topics on demand, and on a slave follows the master's. A new
 * topic is told to every loop and to registration and is on disk before the one who asked for it is answered. EVENT_LOOP x1; deployed after ConfigVerticle.
 */
@OwnedBy("itself")
public final class TopicCoordinatorVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(TopicCoordinatorVerticle.class);

  private static final long SAVE_RETRY_MS = 5_000;

  private final TopicRules rules;
  private final int loops;
  private final Clock clock;

  private TopicTable table;
  private TableSaver<TopicsFile> saver;

  /**
   * @param loops how many broker loops hear of changes
   */
  public TopicCoordinatorVerticle(TopicRules rules, int loops, Clock clock) {
    this.rules = rules;
    this.loops = loops;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    ConfigProxy config = new ConfigProxy(vertx);
    return config.load(TopicsFile.FORMAT).compose(stored -> {
      table = new TopicTable(rules, clock, stored);
      saver = new TableSaver<>(config, TopicsFile.FORMAT, table::file);
      vertx.setPeriodic(SAVE_RETRY_MS, timer -> saver.saveChanged());
      return (table.addSystemTopics() ? saver.save() : Future.<Void>succeededFuture()).compose(saved -> listen(config));
    });
  }

  @Override
  public Future<?> stop() {
    return saver.saveChanged();
  }

  private Future<?> listen(ConfigProxy config) {
    return Future.all(List.of(
        vertx.eventBus().localConsumer(TopicsProxy.CREATE, Guard.replying("create topic", this::create)).completion(),
        vertx.eventBus().localConsumer(TopicsProxy.UPDATE, Guard.replying("update topic", this::update)).completion(),
        vertx.eventBus().localConsumer(TopicsProxy.DELETE, Guard.replying("delete topic", this::delete)).completion(),
        vertx.eventBus().localConsumer(TopicsProxy.SNAPSHOT, Guard.replying("topics", this::snapshot)).completion(),
        vertx.eventBus().localConsumer(FollowProxy.TOPICS, Guard.replying("master's topics", this::follow)).completion(),
        vertx.eventBus().localConsumer(FollowProxy.BEGUN_TOPICS, Guard.logged("begun topics", this::begun)).completion(),
        config.serve(Table.TOPICS, TopicsFile.FORMAT, table::file, clock.millis())));
  }

  private void snapshot(Message<Object> message) {
    message.reply(table.snapshot(), LocalBus.LOCAL);
  }

  private void follow(Message<TopicsFile> message) {
    boolean changed = table.follow(message.body());
    if (changed) {
      log.info("the master's topics were taken over topics={} version={}", message.body().topics().size(), message.body().version());
      publish(table.snapshot());
      saver.save();
    }
    message.reply(changed, LocalBus.LOCAL);
  }

  private void begun(Map<String, Integer> queues) {
    List<TopicConfig> made = new ArrayList<>();
    queues.forEach((topic, count) -> table.begun(topic, count).ifPresent(made::add));
    if (!made.isEmpty()) {
      log.warn("the log has topics that the master's table has not told of before the master was lost; they are taken from the log"
          + " topics={}", made.stream().map(TopicConfig::name).toList());
      publish(table.delta(made));
      saver.save();
    }
  }

  private void create(Message<Create> message) {
    Optional<TopicConfig> existing = table.find(nameOf(message.body()));
    if (existing.isPresent()) {
      message.reply(existing, LocalBus.LOCAL);
      return;
    }
    Optional<TopicConfig> made = table.create(message.body());
    if (made.isEmpty()) {
      message.reply(made, LocalBus.LOCAL);
      return;
    }
    log.info("a topic was made topic={} queues={} perm={}", made.get().name(), made.get().writeQueues(), made.get().perm());
    publish(table.delta(List.of(made.get())));
    saver.save().onComplete(saved -> message.reply(made, LocalBus.LOCAL));
  }

  private void update(Message<Update> message) {
    boolean changed;
    try {
      changed = table.update(message.body());
    } catch (IllegalArgumentException refused) {
      message.reply(Optional.of(refused.getMessage()), LocalBus.LOCAL);
      return;
    }
    if (!changed) {
      message.reply(Optional.empty(), LocalBus.LOCAL);
      return;
    }
    TopicConfig topic = table.find(message.body().config().name()).orElseThrow();
    log.info("a topic was changed topic={} readQueues={} writeQueues={} perm={} attributes={}",
        topic.name(), topic.readQueues(), topic.writeQueues(), topic.perm(), topic.attributes());
    publish(table.delta(List.of(topic)));
    saver.save().onComplete(saved -> message.reply(Optional.empty(), LocalBus.LOCAL));
  }

  private void delete(Message<String> message) {
    String topic = message.body();
    if (!table.remove(topic)) {
      message.reply(false, LocalBus.LOCAL);
      return;
    }
    log.info("a topic was deleted topic={}", topic);
    publish(table.removal(topic));
    saver.save().onComplete(saved -> message.reply(true, LocalBus.LOCAL));
  }

  private void publish(TopicsDelta delta) {
    for (int loop = 0; loop < loops; loop++) {
      vertx.eventBus().send(BusAddress.deltas(loop), delta, LocalBus.LOCAL);
    }
    vertx.eventBus().send(RegistrationVerticle.TOPICS, delta, LocalBus.LOCAL);
  }

  private static String nameOf(Create wish) {
    return wish instanceof FromTemplate fromTemplate ? fromTemplate.topic() : ((Plain) wish).config().name();
  }
}
