package io.metaq.nameserver;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an operator changes and looks at: 205, 216, 318, 319, 327. */
final class AdminHandlers {
  private static final Logger log = LoggerFactory.getLogger(AdminHandlers.class);

  private final RouteTable routes;
  private final Settings settings;

  AdminHandlers(RouteTable routes, Settings settings) {
    this.routes = routes;
    this.settings = settings;
  }

  void join(RequestHandlers handlers) {
    handlers
        .onAdmin(RequestCode.WIPE_WRITE_PERM_OF_BROKER, this::wipeWritePerm)
        .onAdmin(RequestCode.ADD_WRITE_PERM_OF_BROKER, this::addWritePerm)
        .onAdmin(RequestCode.DELETE_TOPIC_IN_NAMESRV, this::deleteTopic)
        .onAdmin(RequestCode.UPDATE_NAMESRV_CONFIG, this::update)
        .on(RequestCode.GET_NAMESRV_CONFIG, this::show);
  }

  private RemotingCommand wipeWritePerm(NameServerRequest request) {
    String broker = request.command().requireText("brokerName");
    int count = routes.wipeWritePerm(broker);
    log.info("a broker was closed to producers broker={} topics={} remote={}", broker, count, request.remote());
    return request.command().success().ext("wipeTopicCount", count);
  }

  private RemotingCommand addWritePerm(NameServerRequest request) {
    String broker = request.command().requireText("brokerName");
    int count = routes.addWritePerm(broker);
    log.info("a broker was opened to producers broker={} topics={} remote={}", broker, count, request.remote());
    return request.command().success().ext("addTopicCount", count);
  }

  private RemotingCommand deleteTopic(NameServerRequest request) {
    RemotingCommand command = request.command();
    String topic = command.requireText("topic");
    Optional<String> cluster = command.text("clusterName").filter(name -> !name.isEmpty());
    cluster.ifPresentOrElse(name -> routes.deleteTopic(topic, name), () -> routes.deleteTopic(topic));
    log.info("a topic was deleted topic={} cluster={} remote={}", topic, cluster.orElse("all"), request.remote());
    return command.success();
  }

  /** Changes switches and the log level, all that are named or none; they hold until the process ends. */
  private RemotingCommand update(NameServerRequest request) {
    RemotingCommand command = request.command();
    Optional<Properties> wished = properties(command.body());
    if (wished.isEmpty()) {
      return command.response(ResultCode.SYSTEM_ERROR, "the body is not properties text: key=value, one to a line");
    }
    NameServerSwitches changed = settings.switches();
    String level = settings.logLevel();
    Map<String, String> shown = settings.shown();
    List<String> refusals = new ArrayList<>();
    boolean forbidden = false;
    for (String key : new TreeSet<>(wished.get().stringPropertyNames())) {
      String value = wished.get().getProperty(key).trim();
      Optional<NameServerSwitches> next = changed.with(key, Boolean.parseBoolean(value));
      if (key.equals(Settings.LOG_LEVEL)) {
        if (Settings.LOG_LEVELS.contains(value)) {
          level = value;
        } else {
          refusals.add("'" + key + "' must be one of " + new TreeSet<>(Settings.LOG_LEVELS) + ", not '" + value + "'");
        }
      } else if (next.isEmpty()) {
        // What it has already may be said again: tools send whole files back.
        if (!value.equals(shown.get(key))) {
          forbidden = true;
          refusals.add(shown.containsKey(key)
              ? "'" + key + "' cannot be changed while the name server runs" : "there is no setting '" + key + "'");
        }
      } else if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
        refusals.add("'" + key + "' must be true or false, not '" + value + "'");
      } else {
        changed = next.get();
      }
    }
    if (!refusals.isEmpty()) {
      return command.response(
          forbidden ? ResultCode.NO_PERMISSION : ResultCode.SYSTEM_ERROR, "nothing was changed: " + String.join("; ", refusals));
    }
    settings.change(changed, level);
    log.info("settings were changed, they hold until the process ends changes={} remote={}", wished.get(), request.remote());
    return command.success();
  }

  private static Optional<Properties> properties(byte[] text) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(new String(text, StandardCharsets.UTF_8)));
    } catch (IOException | IllegalArgumentException malformed) {
      return Optional.empty();
    }
    return properties.isEmpty() ? Optional.empty() : Optional.of(properties);
  }

  private RemotingCommand show(NameServerRequest request) {
    StringBuilder text = new StringBuilder();
    settings.shown().forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    return request.command().success().body(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
