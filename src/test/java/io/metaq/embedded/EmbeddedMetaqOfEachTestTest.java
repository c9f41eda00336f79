package io.metaq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The extension in an instance field, with settings. */
class EmbeddedMetaqOfEachTestTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Set<Path> FOLDERS = ConcurrentHashMap.newKeySet();

  @RegisterExtension
  final EmbeddedMetaqExtension metaq =
      new EmbeddedMetaqExtension(EmbeddedMetaqOptions.defaults().setting("maxMessageSize", "100"));

  @RepeatedTest(2)
  void shouldGiveEachTestAClusterWithTheSettings(EmbeddedMetaq own, MetaqClient client) {
    assertThat(FOLDERS.add(own.folder())).isTrue();

    MetaqException refusal = catchThrowableOfType(
        MetaqException.class, () -> client.send(Message.to("orders").body(new byte[101])).await().atMost(LIMIT));

    assertThat(refusal.reason()).isEqualTo(MetaqException.Reason.REFUSED);
    assertThat(client.send(Message.to("orders").body(new byte[100])).await().atMost(LIMIT).queueOffset()).isZero();
  }

  @AfterAll
  static void shouldHaveClosedThem() {
    assertThat(FOLDERS).hasSize(2).allSatisfy(folder -> assertThat(folder).doesNotExist());
  }
}
