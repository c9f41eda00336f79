package io.metaq.codec.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.codec.store.QueueEndsText.QueueEnds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueEndsTextTest {
  @Test
  void shouldReadBackWhatItWrote() throws IOException {
    QueueEnds ends = new QueueEnds(81_920, 4096, 81_500, new TreeMap<>());
    ends.put("orders", 0, 0, 118);
    ends.put("orders", 1, 300_000, 300_097);
    ends.put("%RETRY%group-a", 0, 5, 5);

    byte[] text = QueueEndsText.encode(ends);

    assertThat(QueueEndsText.decode(text)).isEqualTo(ends);
    assertThat(new String(text, StandardCharsets.UTF_8)).startsWith("{\"phyOffset\":81920,\"logFirst\":4096,\"indexEndPhyOffset\":81500");
  }

  @Test
  void shouldPassOverWhatALaterVersionMayAdd() throws IOException {
    String text = "{\"new\":{\"a\":[1,2]},\"phyOffset\":7,\"queues\":{\"t\":{\"0\":{\"first\":1,\"next\":2,\"more\":[3]}}}}";

    QueueEnds ends = QueueEndsText.decode(text.getBytes(StandardCharsets.UTF_8));

    assertThat(ends.phyOffset()).isEqualTo(7);
    assertThat(ends.queues().get("t").get(0).next()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{}", "{\"phyOffset\":5", "{\"phyOffset\":5,\"queues\":[]}", "{\"phyOffset\":5,\"queues\":{\"t\":{\"x\":{}}}}",
      "{\"phyOffset\":\"many\"}", "{\"phyOffset\":5,\"queues\":{\"t\":{\"0\":{\"next\":1}"})
  void shouldRefuseATextThatIsNotWhole(String text) {
    assertThatThrownBy(() -> QueueEndsText.decode(text.getBytes(StandardCharsets.UTF_8))).isInstanceOf(IOException.class);
  }
}
