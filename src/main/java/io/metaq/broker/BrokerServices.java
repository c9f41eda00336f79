package io.metaq.broker;

import io.metaq.bus.Backlog;
import io.metaq.bus.ReplicaProgress;
import io.metaq.bus.TimerProgress;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.PopProxy;
import io.metaq.coordinator.api.RegistrationProxy;
import io.metaq.coordinator.api.RequestModesProxy;
import io.metaq.coordinator.api.TablesProxy;
import io.metaq.coordinator.api.TopicsProxy;
import io.metaq.coordinator.api.TransactionsProxy;
import io.metaq.model.Clock;
import io.metaq.model.Vigil;
import io.metaq.net.RemotingServerOptions;
import io.metaq.store.DiskSpace;
import io.metaq.store.StoreView;
import java.util.function.Supplier;

/** What every loop of a broker works with; shared, and safe to share. */
public record BrokerServices(
    BrokerOptions options,
    AdminOptions admin,
    RemotingServerOptions server,
    StoreView store,
    DiskSpace disk,
    BrokerFigures figures,
    TopicsProxy topics,
    GroupsProxy groups,
    OffsetsProxy offsets,
    TablesProxy tables,
    RegistrationProxy registration,
    ReplicaProgress replicas,
    TransactionsProxy transactions,
    TimerProgress timers,
    PopProxy pops,
    PopOptions popOptions,
    RequestModesProxy requestModes,
    Backlog appends,
    Supplier<Vigil> vigils,
    Clock clock) {}
