package io.metaq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The extension as a test class uses it; what was registered before it looks behind it. */
@ExtendWith({EmbeddedMetaqExtensionTest.LookBehind.class, EmbeddedMetaqExtension.class})
class EmbeddedMetaqExtensionTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final AtomicReference<EmbeddedMetaq> OF_THE_CLASS = new AtomicReference<>();
  private static final AtomicReference<MetaqClient> OF_THE_TEST = new AtomicReference<>();

  @BeforeAll
  static void remember(EmbeddedMetaq metaq) {
    OF_THE_CLASS.set(metaq);
  }

  @RepeatedTest(2)
  void shouldGiveEachTestAClientOfItsOwn(EmbeddedMetaq metaq, MetaqClient client) {
    assertThat(client.send(Message.to("orders").body("hello")).await().atMost(LIMIT).topic()).isEqualTo("orders");
    assertThat(metaq).isSameAs(OF_THE_CLASS.get());
    OF_THE_TEST.set(client);
  }

  /** A class inside. */
  @Nested
  class Inside {
    @Test
    void shouldGiveNestedClassesTheSameCluster(EmbeddedMetaq metaq) {
      assertThat(metaq).isSameAs(OF_THE_CLASS.get());
    }
  }

  /** Ends after the extension. */
  static final class LookBehind implements AfterEachCallback, AfterAllCallback {
    @Override
    public void afterEach(ExtensionContext context) {
      MetaqClient client = OF_THE_TEST.getAndSet(null);
      if (client != null) {
        assertThatThrownBy(() -> client.send(Message.to("orders").body("late")).await().atMost(LIMIT))
            .isInstanceOfSatisfying(MetaqException.class, failure ->
                assertThat(failure.reason()).isEqualTo(MetaqException.Reason.CLOSED));
      }
    }

    @Override
    public void afterAll(ExtensionContext context) {
      Path folder = OF_THE_CLASS.get().folder();
      boolean nested = context.getRequiredTestClass() != EmbeddedMetaqExtensionTest.class;
      assertThat(Files.exists(folder)).isEqualTo(nested);
    }
  }
}
