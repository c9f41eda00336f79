package io.metaq.coordinator;

import io.metaq.bus.Guard;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.api.RequestMode;
import io.metaq.coordinator.api.RequestModesProxy;
import io.metaq.coordinator.api.RequestModesProxy.Setting;
import io.metaq.coordinator.api.RequestModesProxy.Subject;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Owns which groups pop and which pull ({@code messageRequestMode.json}); on a slave its master's table replaces it. EVENT_LOOP x1;
 * deployed after ConfigVerticle.
 */
@OwnedBy("itself")
public final class RequestModeVerticle extends VerticleBase {
  private final Clock clock;
  private final Map<String, Map<String, RequestMode>> modes = new HashMap<>();
  private TableSaver<RequestModesFile> saver;

  public RequestModeVerticle(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    ConfigProxy config = new ConfigProxy(vertx);
    saver = new TableSaver<>(config, RequestModesFile.FORMAT, this::file);
    return config.load(RequestModesFile.FORMAT).compose(stored -> {
      stored.ifPresent(this::take);
      return Future.all(List.of(
          vertx.eventBus().localConsumer(RequestModesProxy.SET, Guard.replying("request mode", this::set)).completion(),
          vertx.eventBus().localConsumer(RequestModesProxy.FIND, Guard.replying("find request mode", this::find)).completion(),
          vertx.eventBus().localConsumer(FollowProxy.REQUEST_MODES, Guard.replying("master's request modes", this::follow))
              .completion(),
          config.serve(Table.REQUEST_MODES, RequestModesFile.FORMAT, this::file, clock.millis())));
    });
  }

  @Override
  public Future<?> stop() {
    return saver.saveChanged();
  }

  private void set(Message<Setting> message) {
    Setting setting = message.body();
    modes.computeIfAbsent(setting.subject().topic(), topic -> new HashMap<>()).put(setting.subject().group(), setting.mode());
    saver.save().onComplete(saved -> message.reply(true));
  }

  private void find(Message<Subject> message) {
    Subject subject = message.body();
    message.reply(Optional.ofNullable(modes.getOrDefault(subject.topic(), Map.of()).get(subject.group())), LocalBus.LOCAL);
  }

  private void follow(Message<RequestModesFile> message) {
    boolean changed = !message.body().modes().equals(file().modes());
    if (changed) {
      modes.clear();
      take(message.body());
      saver.save();
    }
    message.reply(changed);
  }

  private void take(RequestModesFile file) {
    file.modes().forEach((topic, groups) -> modes.put(topic, new HashMap<>(groups)));
  }

  /** A copy, sorted. */
  private RequestModesFile file() {
    Map<String, Map<String, RequestMode>> sorted = new TreeMap<>();
    modes.forEach((topic, groups) -> sorted.put(topic, new TreeMap<>(groups)));
    return new RequestModesFile(sorted);
  }
}
