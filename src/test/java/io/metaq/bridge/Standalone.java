package io.metaq.bridge;

import io.metaq.FreePorts;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.launcher.Component;
import io.metaq.launcher.ConfigKeys;
import io.metaq.launcher.Descriptor;
import io.metaq.launcher.Endpoint;
import io.metaq.launcher.Host;
import io.metaq.launcher.MetaqProcess;
import io.metaq.launcher.Settings;
import io.metaq.launcher.SettingsReader;
import io.metaq.launcher.Source;
import io.metaq.model.AddressRanges;
import io.metaq.model.Clock;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Name server, broker and bridge of the packed descriptor in this JVM, on free ports, for the tests of one class. */
final class Standalone implements BeforeAllCallback, AfterAllCallback {
  private static final int LIMIT_S = 60;
  private static final String BROKER = "b";

  private final Map<String, String> keys;
  private Path data;
  private MetaqProcess process;
  private List<Endpoint> endpoints;
  private Vertx vertx;

  Standalone(Map<String, String> keys) {
    this.keys = keys;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    data = Files.createTempDirectory("metaq-bridge");
    Map<String, String> all = new HashMap<>(Map.of(
        "brokerName", BROKER, "storePathRootDir", data.toString(), "listenPort", "0", "namesrvListenPort", "0", "haListenPort", "0", "httpPort", "0",
        "bindAddress", "127.0.0.1", "mappedFileSizeCommitLog", "16777216", "maxHashSlotNum", "1000", "maxIndexNum", "10000"));
    all.putAll(keys);
    Settings settings = new SettingsReader(ConfigKeys.load(), EnumSet.allOf(Component.class)).read(List.of(Source.options(all))).settings();
    process = new MetaqProcess(Descriptor.packed("standalone"), settings, Clock.system(), new InTest());
    endpoints = process.start();
    vertx = Vertx.vertx();
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
    process.stop();
    try (Stream<Path> files = Files.walk(data)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  Vertx vertx() {
    return vertx;
  }

  String nameServers() {
    return address("name server");
  }

  String brokerName() {
    return BROKER;
  }

  int httpPort() {
    return endpoints.stream().filter(endpoint -> endpoint.role().equals("http")).findFirst().orElseThrow().port();
  }

  String address(String role) {
    return endpoints.stream().filter(endpoint -> endpoint.role().equals(role)).findFirst().orElseThrow().address();
  }

  /** One more bridge in front of the same cluster, at a free port. */
  int bridge(AddressRanges administrators, List<String> origins, List<String> hosts, int maxBodyBytes, BridgeLimits limits)
      throws Exception {
    int port = FreePorts.next();
    BridgeOptions options = new BridgeOptions(BridgeOptions.Scope.CLUSTER, "127.0.0.1", port, nameServers(), maxBodyBytes, administrators,
        origins, hosts, limits, List.of());
    vertx.deployVerticle(new BridgeVerticle(options, Clock.system())).toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
    return port;
  }

  /** A consumer group, with nobody in it. */
  String makeGroup(String name) {
    return makeGroup(name, 16);
  }

  String makeGroup(String name, int retries) {
    MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(nameServers()));
    client.admin().putGroup(name, retries, true, Optional.empty(), Optional.empty()).await().atMost(Duration.ofSeconds(LIMIT_S));
    client.close().await().atMost(Duration.ofSeconds(LIMIT_S));
    return name;
  }

  /** Nothing is expected to happen to it. */
  private static final class InTest implements Host {
    @Override
    public void fatal(Throwable cause) {
      throw new AssertionError("the broker of a test ends", cause);
    }

    @Override
    public void beginAnew(long position) {
      throw new AssertionError("no slave here");
    }

    @Override
    public void logLevel(String level) {
      throw new AssertionError("nobody asked for it");
    }
  }
}
