package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.model.RequestCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that a worker copied, all of what lies in front of the hot window. */
class ColdAnswersTest {
  private static final int MESSAGES = 64;
  private static final String BODY = "y".repeat(7_000);
  private static final int AT_A_TIME = 32;
  private static final int LEAVING = 50;
  /** By one reader: more than its socket takes. */
  private static final int ASKED = 20;

  @TempDir
  Path folder;
  private TestBroker broker;
  private int allCopies;

  @BeforeEach
  void startWithColdMessages() throws Exception {
    broker = new TestBroker(folder, false, true);
    for (int i = 0; i < MESSAGES; i++) {
      broker.sendAndDispatch("cold", i + BODY);
      broker.sendAndDispatch("between", BODY);
    }
    String filling = "x".repeat(200_000);
    long cold = broker.appendedOffset();
    while (broker.appendedOffset() < cold + TestBroker.HOT_WINDOW_BYTES) {
      broker.sendAndDispatch("filler", filling);
    }
    allCopies = broker.spareCopies("cold");
    assertThat(allCopies).isPositive();
  }

  @AfterEach
  void stop() throws Exception {
    broker.close();
  }

  @Test
  void shouldAnswerWithWhatWasStored() throws Exception {
    try (RawClient reader = RawClient.connect(broker.port())) {
      for (int offset = 0; offset < MESSAGES; offset += AT_A_TIME) {
        RawFrame answer = reader.call(Requests.pull("cold", 0, offset, AT_A_TIME, 0));

        String found = new String(answer.body(), StandardCharsets.ISO_8859_1);
        for (int i = 0; i < AT_A_TIME; i++) {
          assertThat(found).contains((offset + i) + BODY);
        }
        assertThat(found.length()).isLessThan(AT_A_TIME * (BODY.length() + 300));
      }
    }
    awaitAllCopiesBack();
  }

  /** Some leave before their answer is read from the log, some with most of it unsent. */
  @Test
  void shouldHaveItsMemoryBackFromReadersThatLeave() throws Exception {
    List<RawClient> readers = new ArrayList<>();
    awaitCopiesLent(() -> readers.add(asking(pulls -> Requests.pull("cold", 0, pulls, AT_A_TIME, 0))));
    for (int i = 0; i < LEAVING; i++) {
      asking(pulls -> Requests.pull("cold", 0, pulls, AT_A_TIME, 0)).close();
    }

    for (RawClient reader : readers) {
      reader.close();
    }

    awaitAllCopiesBack();
  }

  @Test
  void shouldAnswerPopsSoToo() throws Exception {
    List<RawClient> readers = new ArrayList<>();
    awaitCopiesLent(() -> readers.add(asking(pops -> pop("g" + readers.size() + "-" + pops))));

    String found = new String(readers.get(0).receive().body(), StandardCharsets.ISO_8859_1);
    for (RawClient reader : readers) {
      reader.close();
    }

    for (int i = 0; i < AT_A_TIME; i++) {
      assertThat(found).contains(i + BODY);
    }
    awaitAllCopiesBack();
  }

  /** A reader that asks for more than its socket takes, and reads nothing. */
  private RawClient asking(IntFunction<RawFrame> request) throws IOException {
    RawClient reader = RawClient.connect(broker.port(), 4096);
    for (int i = 0; i < ASKED; i++) {
      reader.send(request.apply(i));
    }
    return reader;
  }

  /** While all is at rest each further reader leaves more of its answers unsent. */
  private void awaitCopiesLent(Callable<?> oneMoreReader) throws Exception {
    Await.until("half of the memory for copies is lent", Duration.ofSeconds(60), () -> {
      oneMoreReader.call();
      return broker.spareCopies("cold") <= allCopies / 2;
    });
  }

  private static RawFrame pop(String group) {
    return RawFrame.request(RequestCode.POP_MESSAGE.wire()).ext("consumerGroup", group).ext("topic", "cold").ext("queueId", 0)
        .ext("maxMsgNums", AT_A_TIME).ext("invisibleTime", 600_000).ext("pollTime", 10_000).ext("bornTime", System.currentTimeMillis())
        .ext("initMode", 0);
  }

  private void awaitAllCopiesBack() throws Exception {
    Await.until("all memory for copies is back", Duration.ofSeconds(60), () -> broker.spareCopies("cold") == allCopies);
  }
}
