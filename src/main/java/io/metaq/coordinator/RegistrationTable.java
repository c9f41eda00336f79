package io.metaq.coordinator;

import io.metaq.codec.registry.RegisterBody;
import io.metaq.codec.registry.RegisterBodyCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.model.DataVersion;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.RequestCode;
import io.metaq.model.TopicConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The topics as name servers should see them, and the requests that tell them. The table is encoded once for each change. */
@OwnedBy("RegistrationVerticle")
final class RegistrationTable {
  private final RegistrationOptions options;
  private final SortedMap<String, TopicConfig> topics = new TreeMap<>();
  private int permission;
  private DataVersion version = DataVersion.INITIAL;
  private long revision;
  /** Of the table as it is, null until it is asked for. */
  private byte[] encoded;

  RegistrationTable(RegistrationOptions options) {
    this.options = options;
    this.permission = options.permission();
  }

  void apply(TopicsDelta delta) {
    if (delta.complete()) {
      topics.clear();
    }
    delta.removed().forEach(topics::remove);
    delta.changed().forEach(topic -> topics.put(topic.name(), topic));
    version = delta.version();
    revision++;
    encoded = null;
  }

  /** What the broker permits from now on; a new version, for name servers look only into a table whose version they do not know. */
  void permit(int newPermission, long nowMs) {
    permission = newPermission;
    version = version.next(nowMs);
    revision++;
    encoded = null;
  }

  /** How many changes were taken in. */
  long revision() {
    return revision;
  }

  /** A new request that registers the whole table. */
  RemotingCommand registration() {
    byte[] body = encoded();
    return about(RequestCode.REGISTER_BROKER)
        .ext("haServerAddr", options.haAddress())
        .ext("enableActingMaster", false)
        .ext("compressed", options.compressed())
        .ext("bodyCrc32", RegisterBodyCodec.crc(body))
        .ext("metaqLoopback", options.loopback() ? "true" : null)
        .body(body);
  }

  /** A new request that takes the registration back. */
  RemotingCommand farewell() {
    return about(RequestCode.UNREGISTER_BROKER);
  }

  private RemotingCommand about(RequestCode code) {
    return RemotingCommand.request(code)
        .ext("brokerName", options.brokerName())
        .ext("brokerAddr", options.address())
        .ext("clusterName", options.cluster())
        .ext("brokerId", options.brokerId());
  }

  private byte[] encoded() {
    if (encoded == null) {
      List<TopicConfig> shown = new ArrayList<>(topics.size());
      topics.values().forEach(topic -> shown.add(permitted(topic)));
      RegisterBody body = new RegisterBody(version, shown);
      encoded =
          options.compressed() ? RegisterBodyCodec.encodeCompressed(body, RemotingCommand.VERSION) : RegisterBodyCodec.encode(body);
    }
    return encoded;
  }

  /** Takes away only reading and writing; the template topic goes on to say that it may be copied. */
  private TopicConfig permitted(TopicConfig topic) {
    int perm = topic.perm() & (permission | ~Perm.READ_WRITE);
    return new TopicConfig(topic.name(), topic.readQueues(), topic.writeQueues(), perm, topic.filterType(), topic.sysFlag(),
        topic.order(), topic.attributes());
  }
}
