package io.metaq.broker;

import io.metaq.codec.registry.DataVersionCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.DataVersion;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Shows the settings of the broker, GET_BROKER_CONFIG (26). They hold until its end: UPDATE_BROKER_CONFIG (25) is refused with the
 * first key that would change.
 */
final class BrokerConfigHandler extends CommandHandler {
  private final Map<String, String> settings;

  BrokerConfigHandler(Map<String, String> settings) {
    this.settings = new TreeMap<>(settings);
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    return Future.succeededFuture(request.code() == RequestCode.GET_BROKER_CONFIG.wire() ? show(request) : update(request));
  }

  private RemotingCommand show(RemotingCommand request) {
    StringBuilder text = new StringBuilder();
    settings.forEach((key, value) -> text.append(key).append('=').append(value.replace("\n", " ")).append('\n'));
    return request.success()
        .ext("version", new String(DataVersionCodec.encode(DataVersion.INITIAL), StandardCharsets.UTF_8))
        .body(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private RemotingCommand update(RemotingCommand request) {
    Properties wished = new Properties();
    try {
      wished.load(new StringReader(new String(request.body(), StandardCharsets.UTF_8)));
    } catch (IOException | IllegalArgumentException malformed) {
      wished.clear();
    }
    if (wished.isEmpty()) {
      return request.response(ResultCode.SYSTEM_ERROR, "the body is not properties text: key=value, one to a line");
    }
    for (String key : new TreeMap<>(wished).keySet().stream().map(String::valueOf).toList()) {
      if (!settings.containsKey(key)) {
        return request.response(ResultCode.INVALID_PARAMETER, "there is no setting '" + key + "'");
      }
      if (!settings.get(key).equals(wished.getProperty(key).trim())) {
        return request.response(ResultCode.NO_PERMISSION,
            "'" + key + "' cannot be changed while the broker runs; set it in its configuration and start it again");
      }
    }
    return request.success();
  }
}
