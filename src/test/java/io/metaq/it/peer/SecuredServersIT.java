package io.metaq.it.peer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.ClientChild;
import io.metaq.it.Queues;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MetaQ's client with an Apache RocketMQ that speaks TLS alone and checks every signature. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecuredServersIT {
  private static final String PASSWORD = "password";
  private static final String USER = "orders-app";
  private static final String SECRET = "a secret of orders";

  @TempDir
  private static Path folder;

  private OfficialServer namesrv;
  private OfficialServer broker;

  @BeforeAll
  void start() throws Exception {
    Path certificate = makeCertificate();
    List<String> tls = List.of(
        "-Dtls.server.mode=enforcing", "-Dtls.test.mode.enable=false", "-Dtls.config.file=" + folder.resolve("none"),
        "-Dtls.server.certPath=" + certificate, "-Dtls.server.keyPath=" + folder.resolve("server.key"),
        "-Dtls.enable=true", "-Dtls.client.authServer=false");
    namesrv = OfficialServer.nameserver(folder.resolve("namesrv"), tls);
    broker = OfficialServer.broker(folder.resolve("broker"), namesrv.address(), """
        authenticationEnabled=true
        authenticationProvider=org.apache.rocketmq.auth.authentication.provider.DefaultAuthenticationProvider
        authenticationMetadataProvider=org.apache.rocketmq.auth.authentication.provider.LocalAuthenticationMetadataProvider
        authConfigPath=%s
        initAuthenticationUser={"username":"%s","password":"%s"}
        innerClientAuthenticationCredentials={"accessKey":"inner","secretKey":"inner secret"}
        """.formatted(folder.resolve("auth"), USER, SECRET), tls);
  }

  @AfterAll
  void stop() throws Exception {
    if (broker != null) {
      broker.close();
    }
    if (namesrv != null) {
      namesrv.close();
    }
  }

  @Test
  void shouldSendAndConsumeSignedOverTls() throws Exception {
    String topic = Queues.freshName("secured");
    try (ClientChild sender = ClientChild.start(secured(SECRET), ClientChild.SEND, namesrv.address(), topic, "")) {
      sender.await("ready");
    }

    try (ClientChild member = ClientChild.start(secured(SECRET), ClientChild.CONSUME, namesrv.address(), topic, Queues.freshName("readers"))) {
      member.await("m0");
      member.await("m99");
      member.await("long ".repeat(2000));
    }
  }

  @Test
  void shouldSayThatASignatureIsRefused() throws Exception {
    try (ClientChild stranger =
        ClientChild.start(secured("another secret"), ClientChild.SEND, namesrv.address(), Queues.freshName("secured"), "")) {
      stranger.await("failed REFUSED");
    }
  }

  @Test
  void shouldSayThatNobodySpeaksWithoutTls() throws Exception {
    try (ClientChild plain = ClientChild.start(List.of(), ClientChild.SEND, namesrv.address(), Queues.freshName("secured"), "")) {
      plain.await("failed NO_NAME_SERVER");
    }
  }

  private List<String> secured(String secret) {
    return List.of("-Dchild.trust=" + folder.resolve("server.pem"), "-Dchild.user=" + USER, "-Dchild.secret=" + secret);
  }

  /** A certificate for this machine, and its key, as PEM files. */
  private Path makeCertificate() throws Exception {
    Path store = folder.resolve("server.p12");
    Path certificate = folder.resolve("server.pem");
    keytool("-genkeypair", "-alias", "server", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=server", "-ext", "san=ip:127.0.0.1",
        "-validity", "2", "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD);
    keytool("-exportcert", "-rfc", "-alias", "server", "-file", certificate.toString(), "-keystore", store.toString(), "-storepass", PASSWORD);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Key key = keys.getKey("server", PASSWORD.toCharArray());
    Files.writeString(folder.resolve("server.key"), "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(key.getEncoded()) + "\n-----END PRIVATE KEY-----\n");
    return certificate;
  }

  private static void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }
}
