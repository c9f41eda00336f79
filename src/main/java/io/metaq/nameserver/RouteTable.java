package io.metaq.nameserver;

import io.metaq.codec.registry.BrokerData;
import io.metaq.codec.registry.ClusterInfo;
import io.metaq.codec.registry.QueueData;
import io.metaq.codec.registry.TopicRoute;
import io.metaq.model.Clock;
import io.metaq.model.DataVersion;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.TopicConfig;
import io.metaq.nameserver.RegisterOutcome.Accepted;
import io.metaq.nameserver.RegisterOutcome.Master;
import io.metaq.nameserver.RegisterOutcome.Outdated;
import io.metaq.nameserver.RegisterOutcome.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The rules of a name server: what a registration changes, what a broker's end takes away, what clients are told. A route shows
 * only brokers that are registered at that moment. Pure: no I/O, time from a {@link Clock}, one thread.
 *
 * <p>{@code fromLoopback} says that whoever asks sits on this machine; brokers that registered from here and agreed to it are shown
 * to him under a loopback address, everything else as registered.
 */
@OwnedBy("NameServerVerticle")
final class RouteTable {
  private static final String LOOPBACK_HOST = "127.0.0.1";

  private final LiveBrokers live;
  private final BrokerDirectory directory = new BrokerDirectory();
  private final TopicQueues queues = new TopicQueues();

  RouteTable(Clock clock) {
    live = new LiveBrokers(clock);
  }

  /**
   * Takes a registration in. Topics are taken from masters, and from the slave with the smallest id of a broker without master
   * where that slave is of a version that knows acting masters. A table of one topic is an increment, any other is the whole. What
   * {@link #wipeWritePerm} and {@link #addWritePerm} did to a topic stands until its broker tells something else about it, or begins anew.
   *
   * @param dropMissing whether topics that a whole table does not name any more leave the broker
   */
  RegisterOutcome register(Registration registration, boolean dropMissing) {
    Optional<BrokerKey> holder = holder(registration);
    if (holder.isPresent() && outdated(registration, holder.get())) {
      return new Outdated(holder.get().address());
    }
    if (holder.isEmpty() && registration.body().topics().size() == 1) {
      return new Refused("the first registration of broker " + registration.brokerName() + " with id " + registration.brokerId()
          + " carries one topic, which is an increment; send the whole table first");
    }

    live.get(registration.key())
        .filter(former -> !former.brokerName().equals(registration.brokerName()))
        .ifPresent(renamed -> remove(registration.key()));
    Optional<DataVersion> known = live.get(registration.key()).map(LiveBroker::version);
    boolean first = holder.isEmpty();
    directory.put(registration);
    if (bringsTopics(registration)) {
      takeTopics(registration, first || known.isEmpty(), !known.equals(Optional.of(registration.body().version())), dropMissing);
    }
    live.put(registration);
    return new Accepted(first, master(registration));
  }

  private Optional<BrokerKey> holder(Registration registration) {
    return directory.find(registration.brokerName()).map(entry -> entry.brokers().get(registration.brokerId()));
  }

  private boolean outdated(Registration registration, BrokerKey holder) {
    return !holder.equals(registration.key())
        && live.get(holder)
            .filter(rival -> rival.version().stateVersion() > registration.body().version().stateVersion())
            .isPresent();
  }

  private boolean bringsTopics(Registration registration) {
    return registration.brokerId() == BrokerData.MASTER_ID
        || registration.actingMaster().isPresent()
            && directory.find(registration.brokerName()).filter(entry -> entry.smallest(registration.brokerId())).isPresent();
  }

  private void takeTopics(Registration registration, boolean anew, boolean changed, boolean dropMissing) {
    List<TopicConfig> topics = registration.body().topics();
    if (dropMissing && (anew || changed) && topics.size() > 1) {
      queues.retain(registration.brokerName(), topics.stream().map(TopicConfig::name).collect(Collectors.toSet()));
    }
    for (TopicConfig topic : topics) {
      if (anew) {
        queues.put(topic.name(), QueueData.of(registration.brokerName(), topic));
      } else if (changed || !queues.contains(topic.name(), registration.brokerName())) {
        queues.putIfNew(topic.name(), QueueData.of(registration.brokerName(), topic));
      }
    }
  }

  private Optional<Master> master(Registration registration) {
    if (registration.brokerId() == BrokerData.MASTER_ID) {
      return Optional.empty();
    }
    return directory.find(registration.brokerName())
        .map(entry -> entry.brokers().get(BrokerData.MASTER_ID))
        .flatMap(key -> live.get(key).map(broker -> new Master(
            shown(key.address(), broker, registration.onLoopback()),
            shown(broker.haAddress(), broker, registration.onLoopback()))));
  }

  /** Takes a registration back. */
  void unregister(BrokerKey key, String brokerName) {
    if (live.get(key).isPresent()) {
      remove(key);
    } else {
      leave(brokerName, key);
    }
  }

  /**
   * The connection of brokers ended, and so did they.
   *
   * @return who is gone
   */
  List<BrokerKey> connectionClosed(long connectionId) {
    List<BrokerKey> gone = live.on(connectionId);
    gone.forEach(this::remove);
    return gone;
  }

  /** A broker that was silent too long. */
  record Expired(BrokerKey key, long connectionId) {}

  /** Drops every broker that was silent for longer than it promised. */
  List<Expired> expire() {
    List<Expired> expired = new ArrayList<>();
    for (BrokerKey key : live.silent()) {
      expired.add(new Expired(key, live.get(key).orElseThrow().connectionId()));
      remove(key);
    }
    return expired;
  }

  private void remove(BrokerKey key) {
    live.remove(key).ifPresent(broker -> leave(broker.brokerName(), key));
  }

  private void leave(String brokerName, BrokerKey key) {
    if (directory.remove(brokerName, key)) {
      queues.retain(brokerName, Set.of());
    }
  }

  /** Notes a sign of life; false when the broker is not registered. */
  boolean heard(BrokerKey key) {
    return live.heard(key);
  }

  /** The version of the topic table a broker registered last. */
  Optional<DataVersion> version(BrokerKey key) {
    return live.get(key).map(LiveBroker::version);
  }

  /** Where the queues of a topic are, empty when no live broker has any; without the order of its queues. */
  Optional<TopicRoute> route(String topic, boolean fromLoopback) {
    List<QueueData> found = List.copyOf(queues.of(topic));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    List<BrokerData> brokers = found.stream()
        .flatMap(queue -> directory.find(queue.brokerName()).stream())
        .map(entry -> shown(entry, fromLoopback))
        .toList();
    return Optional.of(new TopicRoute(Optional.empty(), found, brokers));
  }

  ClusterInfo cluster(boolean fromLoopback) {
    return new ClusterInfo(directory.all().stream().map(entry -> shown(entry, fromLoopback)).toList());
  }

  /** The brokers of one name; none when the name is unknown or of another cluster. */
  BrokerData members(String cluster, String brokerName, boolean fromLoopback) {
    return directory.find(brokerName)
        .filter(entry -> entry.cluster().equals(cluster))
        .map(entry -> shown(entry, fromLoopback))
        .orElseGet(() -> new BrokerData(cluster, brokerName, new TreeMap<>(), false));
  }

  private BrokerData shown(BrokerDirectory.Entry entry, boolean fromLoopback) {
    SortedMap<Long, String> addresses = new TreeMap<>();
    entry.brokers().forEach((id, key) -> addresses.put(id, shown(key.address(), live.get(key).orElseThrow(), fromLoopback)));
    return new BrokerData(entry.cluster(), entry.name(), addresses, entry.actingMaster());
  }

  private static String shown(String address, LiveBroker broker, boolean fromLoopback) {
    int colon = address.lastIndexOf(':');
    return fromLoopback && broker.onLoopback() && colon >= 0 ? LOOPBACK_HOST + address.substring(colon) : address;
  }

  List<String> topics() {
    return queues.where(queue -> true);
  }

  /** Topics with queues on a broker of {@code cluster}. */
  List<String> topicsOf(String cluster) {
    Set<String> names = directory.namesIn(cluster);
    return queues.where(queue -> names.contains(queue.brokerName()));
  }

  /** Topics whose system flag has all bits of {@code set} and none of {@code clear}. */
  List<String> topicsFlagged(int set, int clear) {
    return queues.where(queue -> (queue.sysFlag() & set) == set && (queue.sysFlag() & clear) == 0);
  }

  /** Adds queues of brokers that are registered to a topic; others are left out. */
  void addQueues(String topic, List<QueueData> added) {
    for (QueueData queue : added) {
      if (directory.find(queue.brokerName()).isPresent()) {
        queues.put(topic, queue);
      }
    }
  }

  void deleteTopic(String topic) {
    queues.remove(topic);
  }

  /** Takes a topic off the brokers of one cluster. */
  void deleteTopic(String topic, String cluster) {
    queues.remove(topic, directory.namesIn(cluster));
  }

  /**
   * Closes every topic of a broker to producers, until it tells something else about it.
   *
   * @return how many topics it has
   */
  int wipeWritePerm(String brokerName) {
    return queues.changePerm(brokerName, perm -> perm & ~Perm.WRITE);
  }

  /** Opens every topic of a broker to producers and consumers; the counterpart of {@link #wipeWritePerm}. */
  int addWritePerm(String brokerName) {
    return queues.changePerm(brokerName, perm -> Perm.READ_WRITE);
  }
}
