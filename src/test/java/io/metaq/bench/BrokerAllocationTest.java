package io.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.metaq.embedded.EmbeddedMetaq;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the threads of a broker together allocate for a message, which hardly depends on the machine and its load. The bounds are ten
 * times what is usual, so that only a loss of kind is told: a map for each header, a copy of each body.
 */
class BrokerAllocationTest {
  private static final String TOPIC = "allocation";
  private static final byte[] BODY = new byte[2048];
  private static final int MESSAGES = 20_000;
  private static final int IN_FLIGHT = 50;
  private static final int PULLED = 32;
  /** Bytes; 58 were seen. */
  private static final long MOST_FOR_A_SEND = 600;
  /** Bytes; 1,634 were seen. */
  private static final long MOST_FOR_A_PULL = 16_000;
  private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static EmbeddedMetaq metaq;
  private static RawClient client;

  @BeforeAll
  static void startAndWarmUp() throws IOException {
    metaq = EmbeddedMetaq.start().await().indefinitely();
    client = RawClient.connect(brokerPort());
    send();
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    metaq.close().await().indefinitely();
  }

  @Test
  void shouldAllocateForASendLittleMoreThanAnObject() throws IOException {
    Map<Long, Long> before = allocated();

    send();

    assertThat(since(before) / MESSAGES).as("bytes allocated for a send").isBetween(1L, MOST_FOR_A_SEND);
  }

  @Test
  void shouldAllocateForAPullNothingAsLongAsItsBodies() throws IOException {
    pull();
    Map<Long, Long> before = allocated();

    int pulls = pull();

    assertThat(since(before) / pulls).as("bytes allocated for a pull of " + PULLED).isBetween(1L, MOST_FOR_A_PULL);
  }

  private static void send() throws IOException {
    int[] opaques = new int[IN_FLIGHT];
    for (int sent = 0; sent < MESSAGES; sent += IN_FLIGHT) {
      for (int i = 0; i < IN_FLIGHT; i++) {
        opaques[i] = client.send(Requests.send(TOPIC, 0, BODY, Map.of("UNIQ_KEY", "K" + sent + i)));
      }
      for (int opaque : opaques) {
        assertThat(client.await(opaque).code()).isZero();
      }
    }
  }

  private static int pull() throws IOException {
    int pulls = 0;
    for (long at = 0; at + PULLED <= MESSAGES; at += PULLED) {
      assertThat(client.call(Requests.pull(TOPIC, 0, at, PULLED, 0)).code()).isZero();
      pulls++;
    }
    return pulls;
  }

  /** By thread, of all threads but this one, which is the client. */
  private static Map<Long, Long> allocated() {
    Map<Long, Long> bytes = new HashMap<>();
    for (long thread : THREADS.getAllThreadIds()) {
      if (thread != Thread.currentThread().getId()) {
        bytes.put(thread, THREADS.getThreadAllocatedBytes(thread));
      }
    }
    return bytes;
  }

  private static long since(Map<Long, Long> before) {
    return allocated().entrySet().stream()
        .mapToLong(now -> now.getValue() - before.getOrDefault(now.getKey(), 0L))
        .sum();
  }

  private static int brokerPort() throws IOException {
    int nameServer = Integer.parseInt(metaq.nameServers().substring(metaq.nameServers().indexOf(':') + 1));
    try (RawClient names = RawClient.connect(nameServer)) {
      Matcher address = ADDRESS.matcher(new String(names.call(Requests.route("TBW102")).body(), StandardCharsets.UTF_8));
      assertThat(address.find()).isTrue();
      return Integer.parseInt(address.group(1));
    }
  }
}
