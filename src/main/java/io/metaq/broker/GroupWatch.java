package io.metaq.broker;

import io.metaq.codec.admin.ConsumerStatusBody;
import io.metaq.coordinator.api.ClientInfo;
import io.metaq.coordinator.api.GroupMembers;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks from time to time whether connected groups get on, and tells of those that do not, with the member that has the queue: it is
 * asked for only then. Members that broadcast keep their progress themselves and are not looked at.
 */
@OwnedBy("the first loop")
final class GroupWatch {
  static final long LOOK_EVERY_MS = 30_000;
  private static final Logger log = LoggerFactory.getLogger(GroupWatch.class);

  private final BrokerOptions options;
  private final LoopTopics topics;
  private final LoopGroups groups;
  private final GroupsProxy members;
  private final OffsetsProxy offsets;
  private final MemberQueues queues;
  private final StoreView store;
  private final ColdReads reads;
  private final BrokerFigures figures;
  private final Clock clock;
  private final Standstills standstills;
  private boolean looking;

  GroupWatch(
      BrokerOptions options, LoopTopics topics, LoopGroups groups, GroupsProxy members, OffsetsProxy offsets, MemberQueues queues,
      StoreView store, ColdReads reads, BrokerFigures figures, Clock clock) {
    this.options = options;
    this.topics = topics;
    this.groups = groups;
    this.members = members;
    this.offsets = offsets;
    this.queues = queues;
    this.store = store;
    this.reads = reads;
    this.figures = figures;
    this.clock = clock;
    this.standstills = new Standstills(options.standstillMs());
  }

  /** Looks once, unless the last look is under way. */
  void look() {
    if (looking) {
      return;
    }
    looking = true;
    List<GroupSnapshot> online = groups.all().stream().filter(group -> group.online() && !group.broadcasting()).toList();
    Map<GroupSnapshot, Map<String, Map<Integer, Long>>> progress = new LinkedHashMap<>();
    Future<?> collected = Future.succeededFuture();
    for (GroupSnapshot group : online) {
      collected = collected.compose(before -> offsets.progressOf(group.config().name())).onSuccess(found -> progress.put(group, found));
    }
    collected
        .compose(all -> behind(progress))
        .onSuccess(this::judge)
        .onFailure(failure -> log.warn("the groups could not be looked at", failure))
        .onComplete(done -> looking = false);
  }

  /** In which queues of the topics that they want groups have messages in front of them. */
  private Future<List<Standstills.Behind>> behind(Map<GroupSnapshot, Map<String, Map<Integer, Long>>> progress) {
    Map<Standstills.Place, Long> wanted = new LinkedHashMap<>();
    progress.forEach((group, byTopic) -> group.subscriptions().keySet().forEach(name -> topics.find(name).ifPresent(topic -> {
      for (int queueId = 0; queueId < topic.config().readQueues(); queueId++) {
        long committed = byTopic.getOrDefault(name, Map.of()).getOrDefault(queueId, OffsetsProxy.NONE);
        wanted.put(new Standstills.Place(group.config().name(), name, queueId), committed);
      }
    })));
    return reads.call(() -> compare(wanted));
  }

  /** On a worker. */
  private List<Standstills.Behind> compare(Map<Standstills.Place, Long> wanted) {
    List<Standstills.Behind> behind = new ArrayList<>();
    wanted.forEach((place, committed) -> {
      long max = store.maxOffset(place.topic(), place.queueId());
      if (Math.max(committed, store.minOffset(place.topic(), place.queueId())) < max) {
        behind.add(new Standstills.Behind(place, committed, max));
      }
    });
    return behind;
  }

  private void judge(List<Standstills.Behind> behind) {
    Standstills.News news = standstills.look(behind, clock.nanos() / 1_000_000);
    long contradicting = groups.all().stream().filter(group -> !group.conflict().sides().isEmpty()).count();
    figures.health(new GroupHealth((int) contradicting, standstills.count()));
    news.movedOn().forEach(place -> log.info("a group does not stand still in a queue any more group={} topic={} queueId={}",
        place.group(), place.topic(), place.queueId()));
    Map<String, List<Standstills.Standing>> byGroup = new TreeMap<>();
    news.standing().forEach(standing -> byGroup
        .computeIfAbsent(standing.behind().place().group() + "\0" + standing.behind().place().topic(), key -> new ArrayList<>())
        .add(standing));
    byGroup.values().forEach(this::tell);
  }

  /** All of one group and topic; a member that does not say which queues it has is not named. */
  private void tell(List<Standstills.Standing> standing) {
    Standstills.Place first = standing.get(0).behind().place();
    members.members(first.group())
        .map(found -> found.map(GroupMembers::clients).orElse(List.of()))
        .compose(clients -> queues.of(first.group(), first.topic(),
            clients.stream().filter(client -> client.version() >= MemberQueues.FIRST_VERSION).toList()))
        .onSuccess(tables -> standing.forEach(one -> tell(one, reader(tables, one.behind().place().queueId()))));
  }

  private Optional<ClientInfo> reader(Map<ClientInfo, String> tables, int queueId) {
    return tables.entrySet().stream()
        .filter(table -> ConsumerStatusBody.queueIds(table.getValue(), options.brokerName()).contains(queueId))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static void tell(Standstills.Standing standing, Optional<ClientInfo> reader) {
    Standstills.Behind behind = standing.behind();
    log.warn("a group does not get on in a queue that has messages for it"
        + " group={} topic={} queueId={} committed={} behind={} forMs={} clientId={} remote={}",
        behind.place().group(), behind.place().topic(), behind.place().queueId(), behind.committed(),
        behind.max() - Math.max(0, behind.committed()), standing.forMs(),
        reader.map(ClientInfo::clientId).orElse("nobody"), reader.map(ClientInfo::remote).orElse("-"));
  }
}
