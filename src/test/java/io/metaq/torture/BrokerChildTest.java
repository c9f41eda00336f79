package io.metaq.torture;

import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerChildTest {
  @TempDir
  Path folder;

  @Test
  void shouldTellWhatABrokerSaidThatEndedBeforeItServed() throws IOException {
    List<String> program = List.of("sh", "-c", "for i in $(seq 100); do echo line $i >&2; done; echo the reason >&2; exit 3");

    try (BrokerChild broker = BrokerChild.start(program, folder.resolve("store"), List.of(), "broker7")) {
      assertThatIOException().isThrownBy(broker::awaitReady).withMessageStartingWith("the broker ended with status 3, see ")
          .withMessageContaining("broker7.log").withMessageContaining("line 99\n").withMessageEndingWith("the reason")
          .withMessageMatching("(?s)(?!.*line 50\\b).*");
    }
  }
}
