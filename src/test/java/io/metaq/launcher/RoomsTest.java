package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.Clock;
import io.metaq.store.service.CommitLogVerticle;
import io.metaq.store.service.DispatchVerticle;
import io.metaq.store.service.FlushVerticle;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoomsTest {
  @Test
  void shouldForceOnTheWritersThreadWhereSendersWaitForTheDisk() {
    Rooms rooms = rooms(Map.of("flushDiskType", "SYNC_FLUSH"));

    assertThat(rooms.poolInstead(FlushVerticle.class)).hasValue("metaq-commitlog");
    assertThat(rooms.poolInstead(CommitLogVerticle.class)).isEmpty();
    assertThat(rooms.poolInstead(DispatchVerticle.class)).isEmpty();
  }

  @Test
  void shouldForceOnAThreadOfItsOwnWhereNobodyWaits() {
    assertThat(rooms(Map.of()).poolInstead(FlushVerticle.class)).isEmpty();
  }

  @Test
  void shouldForceOnAThreadOfItsOwnOnASlave() {
    assertThat(rooms(Map.of("flushDiskType", "SYNC_FLUSH", "brokerRole", "SLAVE", "brokerId", "1")).poolInstead(FlushVerticle.class)).isEmpty();
  }

  private static Rooms rooms(Map<String, String> values) {
    Settings settings = new SettingsReader(ConfigKeys.load(), Set.of(Component.NAMESERVER, Component.BROKER))
        .read(List.of(Source.options(values))).settings();
    return new Rooms(null, new RoomConfig(settings, Clock.system(), Ports.NONE), 2, Clock.system(), null);
  }
}
