package io.metaq.bridge;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** {@code /v1/brokers/{broker}/config}: settings of a broker, and changes of those that may change while it runs. */
final class SettingsEndpoints {
  private static final long MOST_ID = 1_000;
  /** Not every broker masks what nobody should see. */
  private static final Pattern SECRET =
      Pattern.compile("(?i).*(secret|password|credential|token|accessKey|authenticationUser|exporterHeader).*");
  private static final String MASK = "***";

  private final MetaqClient client;

  SettingsEndpoints(MetaqClient client) {
    this.client = client;
  }

  Future<Answer> show(Asked asked) {
    String broker = asked.path("broker");
    long id = id(asked);
    return known(Unis.future(client.admin().brokerSettings(broker, id)))
        .map(settings -> Answer.ok(new JsonObject()
            .put("broker", broker).put("id", id).put("settings", shown(settings))));
  }

  /** With a mask in place of secrets, unless they are empty. */
  static JsonObject shown(Map<String, String> settings) {
    JsonObject shown = new JsonObject();
    settings.forEach((name, value) -> shown.put(name, SECRET.matcher(name).matches() && !value.isEmpty() ? MASK : value));
    return shown;
  }

  Future<Answer> change(Call call) {
    long id = id(call);
    return call.json().compose(json -> {
      json.allow(Set.of("settings"));
      JsonReader wanted = json.object("settings").orElseThrow(() -> Fault.INVALID.because("'settings' is missing"));
      Map<String, String> settings = new LinkedHashMap<>();
      wanted.names().forEach(name -> settings.put(name, wanted.text(name)
          .orElseThrow(() -> Fault.INVALID.because("the setting '" + Text.printable(name) + "' must be a text"))));
      return known(Unis.future(client.admin().changeBrokerSettings(call.path("broker"), id, settings)));
    }).compose(done -> show(call));
  }

  private static long id(Asked asked) {
    return asked.number("id", 0, 0, MOST_ID);
  }

  private static <T> Future<T> known(Future<T> answer) {
    return answer.recover(failure -> failure instanceof MetaqException gone && gone.reason() == MetaqException.Reason.NOT_FOUND
        ? Future.failedFuture(Fault.UNKNOWN_BROKER.because(gone.getMessage()))
        : Future.failedFuture(failure));
  }
}
