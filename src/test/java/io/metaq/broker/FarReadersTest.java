package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Await;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.model.RequestCode;
import io.metaq.store.StoreView;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader that has more to read than what counts as near, with and without messages that come in meanwhile. */
class FarReadersTest {
  private static final String FILLING = "x".repeat(200_000);
  private static final int FAR = 40;
  private static final int AT_A_TIME = 20;
  private static final int OVERTAKING = 500;

  @TempDir
  Path folder;
  private TestBroker broker;
  private RawClient reader;

  @BeforeEach
  void startWithMuchToRead() throws Exception {
    broker = TestBroker.withAllInMemory(folder);
    reader = RawClient.connect(broker.port());
    for (int i = 0; i < FAR; i++) {
      broker.sendAndDispatch("old", "number " + i);
    }
    while (broker.appendedOffset() < StoreView.FAR_BYTES * 9 / 8) {
      broker.sendAndDispatch("filler", FILLING);
    }
  }

  @AfterEach
  void stop() throws Exception {
    reader.close();
    broker.close();
  }

  @Test
  void shouldLetNobodyWaitWhileNothingComesIn() throws Exception {
    long until = System.nanoTime() + Duration.ofMillis(200).toNanos();
    while (System.nanoTime() - until < 0) {
      readFar();
    }

    assertThat(paced()).isZero();
  }

  @Test
  void shouldLetWhoIsFarBehindWaitWhileMessagesComeInAndLoseNothing() throws Exception {
    Await.until("a pull waits", Duration.ofSeconds(60), () -> {
      broker.ask(TestBroker.send("new", 0, "meanwhile"));
      readFar();
      return paced() > 0;
    });
  }

  /** Seen before: the loop read, and where the page cache had let go of it all its sends waited for the disk. */
  @Test
  void shouldLeaveWhatIsFarBehindToAWorkerWhileMessagesComeIn() throws Exception {
    Await.until("a worker reads", Duration.ofSeconds(60), () -> {
      broker.ask(TestBroker.send("new", 0, "meanwhile"));
      readFar();
      CountDownLatch readsGoOn = new CountDownLatch(1);
      broker.hold("metaq-read", BrokerVerticle.READ_WORKERS, readsGoOn);
      int far = reader.send(pull(0));
      boolean overtaken = true;
      for (int i = 0; overtaken && i < OVERTAKING; i++) {
        int near = reader.send(Requests.maxOffset("old", 0));
        overtaken = reader.receive().opaque() == near;
      }
      readsGoOn.countDown();
      reader.receive();
      return overtaken;
    });
  }

  /** Reads what is far behind, some messages at a time. */
  private void readFar() throws Exception {
    for (int offset = 0; offset < FAR; offset += AT_A_TIME) {
      List<Integer> asked = new ArrayList<>();
      for (int i = 0; i < AT_A_TIME; i++) {
        asked.add(reader.send(pull(offset + i)));
      }
      for (int i = 0; i < AT_A_TIME; i++) {
        RawFrame answer = reader.await(asked.get(i));
        assertThat(answer.code()).isZero();
        assertThat(answer.ext("nextBeginOffset")).isEqualTo(Integer.toString(offset + i + 1));
        assertThat(new String(answer.body(), StandardCharsets.ISO_8859_1)).contains("number " + (offset + i));
      }
    }
  }

  private static RawFrame pull(int offset) {
    return Requests.pull("old", 0, offset, 1, 0);
  }

  private long paced() throws Exception {
    RemotingCommand answer = broker.ask(RemotingCommand.request(RequestCode.GET_BROKER_RUNTIME_INFO));
    return Long.parseLong(KvTableCodec.decode(answer.body()).get("metaqPacedPulls"));
  }
}
