package io.metaq.broker;

import io.metaq.model.DataVersion;
import java.util.List;
import java.util.Map;

/** Settings none of which can be changed. */
record FixedConfig(Map<String, String> shown) implements LiveConfig {
  @Override
  public DataVersion version() {
    return DataVersion.INITIAL;
  }

  @Override
  public List<Refusal> change(Map<String, String> wished) {
    return wished.entrySet().stream()
        .filter(wish -> !wish.getValue().equals(shown.get(wish.getKey())))
        .map(wish -> shown.containsKey(wish.getKey())
            ? new Refusal("'" + wish.getKey() + "' cannot be changed while the broker runs", true)
            : new Refusal("there is no setting '" + wish.getKey() + "'", false))
        .toList();
  }
}
