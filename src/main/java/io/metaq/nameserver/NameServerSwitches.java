package io.metaq.nameserver;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What an operator may switch while the name server runs (request 318), under the keys of namesrv.conf.
 *
 * @param enableAllTopicList whether request 206 is answered
 * @param enableTopicList whether the other topic lists are answered
 * @param orderMessageEnable whether routes carry the queue order of namespace ORDER_TOPIC_CONFIG
 * @param returnOrderTopicConfigToBroker whether brokers get that namespace when they register
 * @param deleteTopicWithBrokerRegistration whether topics missing from a broker's whole table leave it
 */
public record NameServerSwitches(
    boolean enableAllTopicList,
    boolean enableTopicList,
    boolean orderMessageEnable,
    boolean returnOrderTopicConfigToBroker,
    boolean deleteTopicWithBrokerRegistration) {
  public static final NameServerSwitches DEFAULTS = new NameServerSwitches(true, true, false, true, false);

  /** These switches with one of them set anew; empty when {@code key} is none of them. */
  public Optional<NameServerSwitches> with(String key, boolean on) {
    return Optional.ofNullable(switch (key) {
      case "enableAllTopicList" -> new NameServerSwitches(
          on, enableTopicList, orderMessageEnable, returnOrderTopicConfigToBroker, deleteTopicWithBrokerRegistration);
      case "enableTopicList" -> new NameServerSwitches(
          enableAllTopicList, on, orderMessageEnable, returnOrderTopicConfigToBroker, deleteTopicWithBrokerRegistration);
      case "orderMessageEnable" -> new NameServerSwitches(
          enableAllTopicList, enableTopicList, on, returnOrderTopicConfigToBroker, deleteTopicWithBrokerRegistration);
      case "returnOrderTopicConfigToBroker" -> new NameServerSwitches(
          enableAllTopicList, enableTopicList, orderMessageEnable, on, deleteTopicWithBrokerRegistration);
      case "deleteTopicWithBrokerRegistration" -> new NameServerSwitches(
          enableAllTopicList, enableTopicList, orderMessageEnable, returnOrderTopicConfigToBroker, on);
      default -> null;
    });
  }

  /** Key and value of each. */
  Map<String, String> shown() {
    Map<String, String> table = new LinkedHashMap<>();
    table.put("enableAllTopicList", Boolean.toString(enableAllTopicList));
    table.put("enableTopicList", Boolean.toString(enableTopicList));
    table.put("orderMessageEnable", Boolean.toString(orderMessageEnable));
    table.put("returnOrderTopicConfigToBroker", Boolean.toString(returnOrderTopicConfigToBroker));
    table.put("deleteTopicWithBrokerRegistration", Boolean.toString(deleteTopicWithBrokerRegistration));
    return table;
  }
}
