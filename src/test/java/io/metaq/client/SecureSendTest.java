package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.client.MetaqException.Reason;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS and signatures. */
@Timeout(180)
class SecureSendTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Message HELLO = Message.to(FakeCluster.TOPIC).body("hello");
  private static final String PASSWORD = "secret";

  @TempDir private static Path keys;

  private Vertx vertx;
  private FakeCluster cluster;

  @BeforeAll
  static void makeCertificates() throws Exception {
    makeCertificate("here", "ip:127.0.0.1");
    makeCertificate("elsewhere", "dns:elsewhere.example");
  }

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void shouldSendToAServerWhoseCertificateIsTrusted() throws Exception {
    cluster = FakeCluster.startTls(vertx, identity("here"));
    MetaqClient client = MetaqClient.create(vertx, options().setTls(true).setTrust(trust("here")));

    assertThat(client.send(HELLO).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
    client.close().await().atMost(LIMIT);
  }

  @Test
  void shouldNotSpeakWithAServerWhoseCertificateIsNotTrusted() throws Exception {
    cluster = FakeCluster.startTls(vertx, identity("here"));

    assertThat(reason(options().setTls(true))).isEqualTo(Reason.NO_NAME_SERVER);
    assertThat(reason(options().setTls(true).setTrust(trust("elsewhere")))).isEqualTo(Reason.NO_NAME_SERVER);
  }

  @Test
  void shouldAcceptACertificateForAnotherAddressOnlyWhenToldTo() throws Exception {
    cluster = FakeCluster.startTls(vertx, identity("elsewhere"));

    assertThat(reason(options().setTls(true).setTrust(trust("elsewhere")))).isEqualTo(Reason.NO_NAME_SERVER);
    MetaqClient lenient = MetaqClient.create(vertx, options().setTls(true).setTrust(trust("elsewhere")).setVerifyHosts(false));
    assertThat(lenient.send(HELLO).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
    lenient.close().await().atMost(LIMIT);
  }

  @Test
  void shouldSignEveryRequest() throws Exception {
    cluster = FakeCluster.start(vertx);
    MetaqClient client = MetaqClient.create(vertx, options().setCredentials(new Credentials("somebody", "12345678")));

    client.sendAll(List.of(HELLO, HELLO, HELLO.delayLevel(1))).await().atMost(LIMIT);
    client.sendOneWay(HELLO).await().atMost(LIMIT);
    client.close().await().atMost(LIMIT);

    List<RemotingCommand> requests = new ArrayList<>(cluster.requests(RequestCode.GET_ROUTEINFO_BY_TOPIC));
    requests.addAll(cluster.requests(RequestCode.SEND_BATCH_MESSAGE));
    requests.addAll(cluster.requests(RequestCode.SEND_MESSAGE_V2));
    assertThat(requests).hasSizeGreaterThanOrEqualTo(3).allSatisfy(request -> {
      RemotingCommand unsigned = RemotingCommand.request(request.code()).body(request.body());
      request.ext().forEach((name, value) -> {
        if (!name.equals("Signature") && !name.equals("AccessKey")) {
          unsigned.ext(name, value);
        }
      });
      new RequestSigner(new Credentials("somebody", "12345678")).sign(unsigned);
      assertThat(request.ext()).isEqualTo(unsigned.ext());
    });
  }

  private Reason reason(MetaqClientOptions options) {
    MetaqClient client = MetaqClient.create(vertx, options);
    Reason reason = catchThrowableOfType(MetaqException.class, () -> client.send(HELLO).await().atMost(LIMIT)).reason();
    client.close().await().atMost(LIMIT);
    return reason;
  }

  private MetaqClientOptions options() {
    return new MetaqClientOptions().setNameServers(cluster.address()).setSendTimeout(Duration.ofSeconds(5));
  }

  private static PfxOptions identity(String name) {
    return new PfxOptions().setPath(keys.resolve(name + ".p12").toString()).setPassword(PASSWORD);
  }

  private static PemTrustOptions trust(String name) {
    return new PemTrustOptions().addCertPath(keys.resolve(name + ".pem").toString());
  }

  private static void makeCertificate(String name, String address) throws Exception {
    String store = keys.resolve(name + ".p12").toString();
    keytool("-genkeypair", "-alias", name, "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name, "-ext", "san=" + address,
        "-validity", "2", "-storetype", "PKCS12", "-keystore", store, "-storepass", PASSWORD);
    keytool("-exportcert", "-rfc", "-alias", name, "-file", keys.resolve(name + ".pem").toString(), "-keystore", store, "-storepass", PASSWORD);
  }

  private static void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }
}
