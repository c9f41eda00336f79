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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The topics as name servers should see them, and the requests that tell them. A change of one topic is told by itself: a name server
 * that takes a whole table of a new version in overwrites all it knows of this broker, also what {@code wipeWritePerm} did to producers'
 * routes, and encoding and reading ten thousand topics takes both sides tens of milliseconds.
 */
@OwnedBy("RegistrationVerticle")
final class RegistrationTable {
  /** Changes kept for {@link #increment}; who is further behind takes the whole table. */
  private static final int KEPT_CHANGES = 256;

  private final RegistrationOptions options;
  private final ArrayDeque<Change> changes = new ArrayDeque<>();
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

  /** The topic that changed with a revision, and the version of the table since. */
  private record Change(long revision, TopicConfig topic, DataVersion version) {}

  void apply(TopicsDelta delta) {
    if (delta.complete()) {
      topics.clear();
    }
    delta.removed().forEach(topics::remove);
    delta.changed().forEach(topic -> topics.put(topic.name(), topic));
    version = delta.version();
    revision++;
    encoded = null;
    if (delta.complete() || !delta.removed().isEmpty() || delta.changed().size() != 1) {
      changes.clear();
      return;
    }
    if (changes.size() == KEPT_CHANGES) {
      changes.remove();
    }
    changes.add(new Change(revision, delta.changed().get(0), version));
  }

  /** What the broker permits from now on; a new version, for name servers look only into a table whose version they do not know. */
  void permit(int newPermission, long nowMs) {
    permission = newPermission;
    version = version.next(nowMs);
    revision++;
    encoded = null;
    changes.clear();
  }

  /** How many changes were taken in. */
  long revision() {
    return revision;
  }

  /** A new request that registers the whole table. */
  RemotingCommand registration() {
    return registration(encoded());
  }

  /**
   * A new request that takes a name server from the revision before {@code to} to that one. Empty where the whole table must be told:
   * not just one topic changed, or that is too long ago.
   *
   * <p>A name server of RocketMQ 5 with {@code deleteTopicWithBrokerRegistration} takes an increment for the whole, as it does with those
   * of RocketMQ's own brokers, and has the other topics again with the next whole table.
   */
  Optional<RemotingCommand> increment(long to) {
    if (changes.isEmpty() || to < changes.getFirst().revision() || to > revision) {
      return Optional.empty();
    }
    // They are as many as the revisions since the first, in order.
    Change change = changes.stream().skip(to - changes.getFirst().revision()).findFirst().orElseThrow();
    return Optional.of(registration(encode(change.version(), List.of(permitted(change.topic())))));
  }

  private RemotingCommand registration(byte[] body) {
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
      encoded = encode(version, shown);
    }
    return encoded;
  }

  private byte[] encode(DataVersion of, List<TopicConfig> shown) {
    RegisterBody body = new RegisterBody(of, shown);
    return options.compressed() ? RegisterBodyCodec.encodeCompressed(body, RemotingCommand.VERSION) : RegisterBodyCodec.encode(body);
  }

  /** Takes away only reading and writing; the template topic goes on to say that it may be copied. */
  private TopicConfig permitted(TopicConfig topic) {
    int perm = topic.perm() & (permission | ~Perm.READ_WRITE);
    return new TopicConfig(topic.name(), topic.readQueues(), topic.writeQueues(), perm, topic.filterType(), topic.sysFlag(),
        topic.order(), topic.attributes());
  }
}
