package io.metaq.broker;

import io.metaq.codec.registry.DataVersionCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Shows the settings of the broker, GET_BROKER_CONFIG (26), and changes those that may be changed while it runs,
 * UPDATE_BROKER_CONFIG (25): all that are named, or none and an answer that names each that is refused.
 */
final class BrokerConfigHandler extends CommandHandler {
  private final LiveConfig config;

  BrokerConfigHandler(LiveConfig config) {
    this.config = config;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    return Future.succeededFuture(
        request.code() == RequestCode.GET_BROKER_CONFIG.wire() ? show(request) : update(request));
  }

  private RemotingCommand show(RemotingCommand request) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(config.shown()).forEach((key, value) ->
        text.append(key).append('=').append(value.replace("\n", " ")).append('\n'));
    return request.success()
        .ext("version", new String(DataVersionCodec.encode(config.version()), StandardCharsets.UTF_8))
        .body(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private RemotingCommand update(RemotingCommand request) {
    Map<String, String> wished = wished(request.body());
    if (wished.isEmpty()) {
      return request.response(ResultCode.SYSTEM_ERROR, "the body is not properties text: key=value, one to a line");
    }
    List<LiveConfig.Refusal> refusals = config.change(wished);
    if (refusals.isEmpty()) {
      return request.success();
    }
    boolean forbidden = refusals.stream().anyMatch(LiveConfig.Refusal::forbidden);
    return request.response(forbidden ? ResultCode.NO_PERMISSION : ResultCode.INVALID_PARAMETER, "nothing was changed: "
        + refusals.stream().map(LiveConfig.Refusal::why).collect(Collectors.joining("; ")));
  }

  private static Map<String, String> wished(byte[] body) {
    Properties text = new Properties();
    try {
      text.load(new StringReader(new String(body, StandardCharsets.UTF_8)));
    } catch (IOException | IllegalArgumentException malformed) {
      return Map.of();
    }
    Map<String, String> wished = new TreeMap<>();
    text.stringPropertyNames().forEach(key -> wished.put(key, text.getProperty(key).trim()));
    return wished;
  }
}
