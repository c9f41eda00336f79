package io.metaq.launcher;

import io.metaq.bridge.BridgeVerticle;
import io.metaq.broker.BrokerVerticle;
import io.metaq.coordinator.ConfigVerticle;
import io.metaq.coordinator.MasterTablesVerticle;
import io.metaq.coordinator.GroupCoordinatorVerticle;
import io.metaq.coordinator.OffsetCoordinatorVerticle;
import io.metaq.coordinator.PopVerticle;
import io.metaq.coordinator.RegistrationVerticle;
import io.metaq.coordinator.RequestModeVerticle;
import io.metaq.coordinator.ScheduleVerticle;
import io.metaq.coordinator.TimerVerticle;
import io.metaq.coordinator.TopicCoordinatorVerticle;
import io.metaq.coordinator.TransactionVerticle;
import io.metaq.nameserver.NameServerVerticle;
import io.metaq.replication.ReplicationVerticle;
import io.metaq.store.service.CommitLogVerticle;
import io.metaq.store.service.DispatchVerticle;
import io.metaq.store.service.FlushVerticle;
import io.metaq.store.service.HousekeepingVerticle;
import io.vertx.core.Deployable;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Every verticle class a descriptor may name, with its one factory. */
final class VerticleKinds {
  /** A thread each for append and force, so that neither waits for the other; the one that appended a group is free next, for its force. */
  private static final VerticleKind.Pool LOG_POOL = new VerticleKind.Pool("metaq-log", 2);

  private static final Map<String, VerticleKind> KINDS = kinds();

  private VerticleKinds() {}

  private static Map<String, VerticleKind> kinds() {
    Map<String, VerticleKind> kinds = new LinkedHashMap<>();
    List.of(
            VerticleKind.of(NameServerVerticle.class, Rooms::nameServer).brings(Component.NAMESERVER).listensOn("namesrvListenPort"),
            VerticleKind.of(HousekeepingVerticle.class, Rooms::housekeeping).onPool("metaq-housekeeping").usesStore(),
            VerticleKind.of(FlushVerticle.class, Rooms::flush).onPool(LOG_POOL).usesStore(),
            VerticleKind.of(DispatchVerticle.class, Rooms::dispatch).onPool("metaq-dispatch").usesStore(),
            VerticleKind.of(CommitLogVerticle.class, Rooms::commitLog).onPool(LOG_POOL).usesStore()
                .after(HousekeepingVerticle.class, FlushVerticle.class, DispatchVerticle.class),
            VerticleKind.of(ReplicationVerticle.class, Rooms::replication).listensOn("haListenPort").usesStore()
                .after(CommitLogVerticle.class),
            VerticleKind.of(ConfigVerticle.class, Rooms::configFiles).onPool("metaq-config").usesStore(),
            VerticleKind.of(TopicCoordinatorVerticle.class, Rooms::topics).brings(Component.BROKER).after(ConfigVerticle.class),
            VerticleKind.of(GroupCoordinatorVerticle.class, Rooms::groups).brings(Component.BROKER).after(ConfigVerticle.class),
            VerticleKind.of(OffsetCoordinatorVerticle.class, Rooms::offsets).brings(Component.BROKER).after(ConfigVerticle.class),
            VerticleKind.of(RequestModeVerticle.class, Rooms::requestModes).brings(Component.BROKER).after(ConfigVerticle.class),
            VerticleKind.of(ScheduleVerticle.class, Rooms::schedule).onPool("metaq-schedule").usesStore()
                .after(CommitLogVerticle.class, ConfigVerticle.class),
            VerticleKind.of(TransactionVerticle.class, Rooms::transactions).onPool("metaq-transaction").usesStore()
                .after(CommitLogVerticle.class, TopicCoordinatorVerticle.class, GroupCoordinatorVerticle.class,
                    OffsetCoordinatorVerticle.class),
            VerticleKind.of(TimerVerticle.class, Rooms::timers).onPool("metaq-timer").usesStore().after(CommitLogVerticle.class),
            VerticleKind.of(PopVerticle.class, Rooms::pops).onPool("metaq-pop").usesStore()
                .after(CommitLogVerticle.class, TopicCoordinatorVerticle.class, OffsetCoordinatorVerticle.class),
            VerticleKind.of(BrokerVerticle.class, Rooms::broker).listensOn("listenPort").onEveryLoop().usesStore()
                .after(CommitLogVerticle.class, TopicCoordinatorVerticle.class, GroupCoordinatorVerticle.class,
                    OffsetCoordinatorVerticle.class),
            VerticleKind.of(MasterTablesVerticle.class, Rooms::masterTables).brings(Component.BROKER)
                .after(TopicCoordinatorVerticle.class, GroupCoordinatorVerticle.class, OffsetCoordinatorVerticle.class,
                    RequestModeVerticle.class),
            VerticleKind.of(RegistrationVerticle.class, Rooms::registration).brings(Component.BROKER).after(BrokerVerticle.class)
                .opening(),
            bridge(Rooms::bridge))
        .forEach(kind -> kinds.put(kind.type().getName(), kind));
    return kinds;
  }

  private static VerticleKind bridge(Function<Rooms, Deployable> factory) {
    return VerticleKind.of(BridgeVerticle.class, factory).brings(Component.BRIDGE).listensOn("httpPort");
  }

  /** What a process without a bridge has on {@code httpPort}: how it is, and no more. In no descriptor. */
  static VerticleKind probes() {
    return bridge(Rooms::probes);
  }

  static Collection<VerticleKind> all() {
    return KINDS.values();
  }

  /**
   * The kind of an entry.
   *
   * @throws StartFailure when there is none of that class
   */
  static VerticleKind of(Descriptor descriptor, Descriptor.Entry entry) {
    VerticleKind kind = KINDS.get(entry.className());
    if (kind == null) {
      String near = Nearest.of(entry.className(), KINDS.keySet()).map(name -> "; did you mean " + name + "?").orElse("");
      throw new StartFailure(
          "the descriptor " + descriptor.name() + " names the class " + entry.className() + ", which is no verticle of MetaQ" + near);
    }
    return kind;
  }

  /**
   * Which components a descriptor makes a process of.
   *
   * @throws StartFailure when a class is unknown, stands twice, or before one it needs
   */
  static Set<Component> check(Descriptor descriptor) {
    Set<Component> components = EnumSet.noneOf(Component.class);
    Set<Class<?>> earlier = new HashSet<>();
    for (Descriptor.Entry entry : descriptor.entries()) {
      VerticleKind kind = of(descriptor, entry);
      kind.component().ifPresent(components::add);
      for (Class<?> needed : kind.after()) {
        if (!earlier.contains(needed)) {
          throw new StartFailure("the descriptor " + descriptor.name() + ": " + entry.shortName() + " needs "
              + needed.getSimpleName() + " before it");
        }
      }
      if (!earlier.add(kind.type())) {
        throw new StartFailure("the descriptor " + descriptor.name() + " names " + entry.shortName() + " twice");
      }
    }
    if (components.isEmpty()) {
      throw new StartFailure("the descriptor " + descriptor.name() + " names no verticle, so there is nothing to run");
    }
    return components;
  }
}
