package io.metaq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.client.BrokerInfo;
import io.metaq.client.Delivery;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.Position;
import io.metaq.client.SendReceipt;
import io.metaq.client.Subscription;
import io.metaq.embedded.EmbeddedMetaqException.Reason;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EmbeddedMetaqTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String TOPIC = "orders";

  private final Vertx vertx = Vertx.vertx();

  @TempDir
  Path folder;

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void shouldServeClientsAndLeaveNothingBehind() {
    EmbeddedMetaq metaq = started(EmbeddedMetaqOptions.defaults());
    MetaqClient client = client(metaq);

    client.send(Message.to(TOPIC).body("hello")).await().atMost(LIMIT);
    String received = first(client).message().text();
    client.close().await().atMost(LIMIT);
    metaq.close().await().atMost(LIMIT);

    assertThat(received).isEqualTo("hello");
    assertThat(metaq.folder()).doesNotExist();
  }

  @Test
  void shouldStartAnewForEachSubscription() {
    Uni<EmbeddedMetaq> start = EmbeddedMetaq.start();

    EmbeddedMetaq one = start.await().atMost(LIMIT);
    EmbeddedMetaq other = start.await().atMost(LIMIT);

    assertThat(one.nameServers()).isNotEqualTo(other.nameServers());
    one.close().await().atMost(LIMIT);
    MetaqClient client = client(other);
    assertThat(client.send(Message.to(TOPIC).body("still there")).await().atMost(LIMIT).queueOffset()).isZero();
    client.close().await().atMost(LIMIT);
    other.close().await().atMost(LIMIT);
  }

  @Test
  void shouldGoOnInAFolderThatIsKept() {
    EmbeddedMetaqOptions options = EmbeddedMetaqOptions.defaults().folder(folder);
    EmbeddedMetaq before = started(options);
    MetaqClient sender = client(before);
    sender.send(Message.to(TOPIC).body("kept")).await().atMost(LIMIT);
    sender.close().await().atMost(LIMIT);
    before.close().await().atMost(LIMIT);

    EmbeddedMetaq after = started(options);
    MetaqClient reader = client(after);
    String received = first(reader).message().text();
    reader.close().await().atMost(LIMIT);
    after.close().await().atMost(LIMIT);

    assertThat(received).isEqualTo("kept");
    assertThat(folder.resolve("commitlog")).isDirectory();
  }

  @Test
  void shouldMakeAClusterOfSeveralBrokers() {
    EmbeddedMetaq metaq = started(EmbeddedMetaqOptions.defaults().brokers(2).setting("defaultTopicQueueNums", "2"));
    MetaqClient client = client(metaq);

    List<BrokerInfo> brokers = client.admin().brokers().collect().asList().await().atMost(LIMIT);
    List<String> senders = IntStream.range(0, 8)
        .mapToObj(i -> client.send(Message.to(TOPIC).body("to either")).await().atMost(LIMIT))
        .map(SendReceipt::broker)
        .distinct()
        .toList();
    client.close().await().atMost(LIMIT);
    metaq.close().await().atMost(LIMIT);

    assertThat(brokers).extracting(BrokerInfo::name).containsExactlyInAnyOrder("embedded", "embedded-1");
    assertThat(brokers).extracting(BrokerInfo::fault).containsOnly(Optional.empty());
    assertThat(senders).isNotEmpty();
  }

  @Test
  void shouldTellWhichSettingIsWrong() {
    EmbeddedMetaqException failure = failure(EmbeddedMetaqOptions.defaults().setting("flushDiskType", "NEVER"));

    assertThat(failure.reason()).isEqualTo(Reason.START_FAILED);
    assertThat(failure).hasMessageContaining("flushDiskType").hasMessageContaining("from code");
  }

  @Test
  void shouldStopWhatHadStartedWhenTheRestCannot() throws IOException {
    EmbeddedMetaqOptions options = EmbeddedMetaqOptions.defaults().folder(folder);

    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      EmbeddedMetaqException failure = failure(options.setting("listenPort", Integer.toString(taken.getLocalPort())));
      assertThat(failure.reason()).isEqualTo(Reason.START_FAILED);
      assertThat(failure).hasMessageContaining("listenPort");
    }

    EmbeddedMetaq metaq = started(options);
    assertThat(metaq.folder()).isEqualTo(folder);
    metaq.close().await().atMost(LIMIT);
  }

  @Test
  void shouldTellThatAFolderCannotBeUsed() throws IOException {
    Path file = java.nio.file.Files.createFile(folder.resolve("file"));

    EmbeddedMetaqException failure = failure(EmbeddedMetaqOptions.defaults().folder(file));

    assertThat(failure.reason()).isEqualTo(Reason.START_FAILED);
    assertThat(failure).hasMessageContaining(file.toString());
  }

  @Test
  void shouldCloseWhatNobodyWaitsForAnyMore() throws InterruptedException {
    EmbeddedMetaqOptions options = EmbeddedMetaqOptions.defaults().folder(folder);

    EmbeddedMetaq.start(options).subscribe().with(metaq -> {}, failure -> {}).cancel();

    // The folder is locked while the cluster runs.
    EmbeddedMetaq metaq = EmbeddedMetaq.start(options)
        .onFailure().retry().withBackOff(Duration.ofMillis(50), Duration.ofMillis(500)).expireIn(30_000)
        .await().atMost(LIMIT.multipliedBy(2));
    metaq.close().await().atMost(LIMIT);
  }

  @Test
  void shouldCloseOnceForAllWhoAskForIt() {
    EmbeddedMetaq metaq = started(EmbeddedMetaqOptions.defaults());

    Uni.join().all(metaq.close(), metaq.close()).andFailFast().await().atMost(LIMIT);
    metaq.close().await().atMost(LIMIT);

    assertThat(metaq.folder()).doesNotExist();
  }

  @Test
  void shouldCompleteOnTheCallersContext() throws Exception {
    Context context = vertx.getOrCreateContext();
    CompletableFuture<Context> started = new CompletableFuture<>();
    CompletableFuture<Context> closed = new CompletableFuture<>();
    CompletableFuture<Context> failed = new CompletableFuture<>();

    context.runOnContext(ignored -> {
      EmbeddedMetaq.start().subscribe().with(metaq -> {
        started.complete(Vertx.currentContext());
        metaq.close().subscribe().with(done -> closed.complete(Vertx.currentContext()));
      });
      EmbeddedMetaq.start(EmbeddedMetaqOptions.defaults().setting("eventLoops", "many"))
          .subscribe().with(metaq -> {}, failure -> failed.complete(Vertx.currentContext()));
    });

    assertThat(started.get(60, TimeUnit.SECONDS)).isSameAs(context);
    assertThat(closed.get(60, TimeUnit.SECONDS)).isSameAs(context);
    assertThat(failed.get(60, TimeUnit.SECONDS)).isSameAs(context);
  }

  @Test
  void shouldRefuseOptionsThatContradictThemselves() {
    EmbeddedMetaqOptions defaults = EmbeddedMetaqOptions.defaults();

    assertThatThrownBy(() -> defaults.brokers(0)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0");
    assertThatThrownBy(() -> defaults.setting("storePathRootDir", "/elsewhere"))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("folder(...)");
    assertThat(defaults.setting("a", "1").setting("a", "2").settings()).isEqualTo(Map.of("a", "2"));
  }

  private static EmbeddedMetaq started(EmbeddedMetaqOptions options) {
    return EmbeddedMetaq.start(options).await().atMost(LIMIT);
  }

  private static EmbeddedMetaqException failure(EmbeddedMetaqOptions options) {
    return catchThrowableOfType(EmbeddedMetaqException.class, () -> started(options));
  }

  private MetaqClient client(EmbeddedMetaq metaq) {
    return MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(metaq.nameServers()));
  }

  private static Delivery first(MetaqClient client) {
    return client.subscribe(Subscription.to(TOPIC).from(Position.EARLIEST)).toUni().await().atMost(LIMIT);
  }
}
