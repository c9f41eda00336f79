package io.metaq.coordinator;

import static io.metaq.coordinator.CoordinatorRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.WatchedVertx;
import io.metaq.coordinator.api.RequestMode;
import io.metaq.coordinator.api.RequestModesProxy;
import io.metaq.coordinator.api.RequestModesProxy.Setting;
import io.metaq.coordinator.api.RequestModesProxy.Subject;
import io.metaq.coordinator.api.TablesProxy;
import io.metaq.coordinator.api.TablesProxy.Table;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(WatchedVertx.class)
class RequestModeVerticleTest {
  private static final RequestMode POP = new RequestMode(true, 3);
  private static final String JSON = "{\"messageRequestModeMap\":{\"orders\":{\"workers\":{\"consumerGroup\":\"workers\","
      + "\"mode\":\"POP\",\"popShareQueueNum\":3,\"topic\":\"orders\"}}}}";

  @TempDir Path folder;

  private CoordinatorRig rig;
  private RequestModesProxy modes;
  private String deployment;

  @BeforeEach
  void start(Vertx vertx) {
    rig = new CoordinatorRig(vertx, folder);
    modes = new RequestModesProxy(vertx);
    rig.startConfig();
    deployment = rig.deploy(new RequestModeVerticle(rig.clock));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldKeepWhatIsSetInRocketMqsForm() throws Exception {
    assertThat(await(modes.find("orders", "workers"))).isEmpty();

    await(modes.set(new Setting(new Subject("orders", "workers"), POP)));

    assertThat(await(modes.find("orders", "workers"))).contains(POP);
    assertThat(await(modes.find("orders", "others"))).isEmpty();
    assertThat(await(new TablesProxy(rig.vertx).body(Table.REQUEST_MODES)).json()).asString().isEqualTo(JSON);
    assertThat(ConfigJson.decode(RequestModesFile.FORMAT, JSON.getBytes(StandardCharsets.UTF_8)).modes())
        .isEqualTo(Map.of("orders", Map.of("workers", POP)));
  }

  @Test
  void shouldKnowItAfterARestart() {
    await(modes.set(new Setting(new Subject("orders", "workers"), POP)));

    rig.undeploy(deployment);
    rig.deploy(new RequestModeVerticle(rig.clock));

    assertThat(await(modes.find("orders", "workers"))).contains(POP);
  }

  @Test
  void shouldTakeItsMastersTableOver() {
    await(modes.set(new Setting(new Subject("orders", "gone"), POP)));
    FollowProxy master = new FollowProxy(rig.vertx);

    assertThat(await(master.requestModes(new RequestModesFile(Map.of("orders", Map.of("workers", POP)))))).isTrue();
    assertThat(await(master.requestModes(new RequestModesFile(Map.of("orders", Map.of("workers", POP)))))).isFalse();

    assertThat(await(modes.find("orders", "workers"))).contains(POP);
    assertThat(await(modes.find("orders", "gone"))).isEmpty();
  }
}
