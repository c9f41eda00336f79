package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Await;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.model.RequestCode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader that has more to read than what counts as near, with and without messages that come in meanwhile. */
class FarReadersTest {
  private static final String BODY = "x".repeat(200_000);
  private static final int MESSAGES = (int) (FarPace.FAR_BYTES / BODY.length()) + 40;

  private interface Step {
    void run() throws Exception;
  }

  @TempDir
  Path folder;

  @Test
  void shouldKeepAReaderFarBehindToItsPaceOnlyWhileMessagesComeInAndLoseNothing() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true); RawClient reader = RawClient.connect(broker.port())) {
      for (int i = 0; i < MESSAGES; i++) {
        broker.sendAndDispatch("old", BODY);
      }
      readAll(reader, () -> {});
      assertThat(paced(broker)).as("answers that waited while nothing came in").isZero();

      Await.until("an answer waits", Duration.ofSeconds(60), () -> {
        readAll(reader, () -> broker.ask(TestBroker.send("new", 0, "meanwhile")));
        return paced(broker) > 0;
      });
    }
  }

  /** Reads every message, and does something else before each. */
  private static void readAll(RawClient reader, Step before) throws Exception {
    for (long offset = 0; offset < MESSAGES; ) {
      before.run();
      offset = next(reader, offset);
    }
  }

  /** Reads one message and tells where the next is. */
  private static long next(RawClient reader, long offset) throws Exception {
    RawFrame answer = reader.call(Requests.pull("old", 0, offset, 32, 0));
    assertThat(answer.code()).isZero();
    assertThat(answer.body().length).isGreaterThan(BODY.length());
    return Long.parseLong(answer.ext("nextBeginOffset"));
  }

  private static long paced(TestBroker broker) throws Exception {
    return Long.parseLong(
        KvTableCodec.decode(broker.ask(RemotingCommand.request(RequestCode.GET_BROKER_RUNTIME_INFO)).body()).get("metaqPacedPulls"));
  }
}
