package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import io.metaq.client.MetaqException.Reason;
import io.metaq.codec.remoting.UniqueKeys;
import io.metaq.model.Clock;
import io.metaq.model.RequestCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wall clock of the client's machine is set by hours, forth and back: what lasts goes by the other clock. */
@Timeout(180)
class ClockJumpTest extends ConsumerTestBase {
  private final AtomicLong aheadMs = new AtomicLong();

  /** Of this machine, but for the wall. */
  private final class Jumping implements Clock {
    @Override
    public long millis() {
      return Clock.system().millis() + aheadMs.get();
    }

    @Override
    public long nanos() {
      return Clock.system().nanos();
    }
  }

  @Override
  MetaqClient client() {
    return MetaqClient.create(vertx, options().setSendTimeout(Duration.ofSeconds(20)), new Jumping());
  }

  @ParameterizedTest
  @ValueSource(longs = {5, -5})
  void shouldKeepItsLocksItsMembershipAndItsConnection(long hours) {
    cluster.topic(TOPIC, 1);
    fill(0, 30);
    Taker taker = take(MEMBER.ordered(), Long.MAX_VALUE);
    List<Long> offsets = new ArrayList<>();

    for (int i = 0; i < 30; i++) {
      Delivery delivery = taker.next(1).get(0);
      offsets.add(delivery.queueOffset());
      aheadMs.set(i % 2 == 0 ? TimeUnit.HOURS.toMillis(hours) : 0);
      await(delivery.ack());
    }

    assertThat(offsets).hasSize(30).isSorted().doesNotHaveDuplicates();
    until(() -> Long.valueOf(30).equals(cluster.offset(GROUP, TOPIC, 0)));
    assertThat(cluster.requests(RequestCode.LOCK_BATCH_MQ).size()).as("asked once, renewed every 10 s").isLessThan(10);
    assertThat(cluster.requests(RequestCode.UNREGISTER_CLIENT)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {5, -5})
  void shouldNeitherHurryNorForgetWhatIsUnderWay(long hours) throws Exception {
    cluster.first(1, RequestCode.SEND_MESSAGE_V2, call -> {
      aheadMs.set(TimeUnit.HOURS.toMillis(hours));
      call.refuse(2, "busy");
    });

    assertThat(client.send(HELLO).await().atMost(LIMIT).stage()).as("tried again").isEqualTo(SendReceipt.Stage.STORED);

    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> true);
    MetaqClient impatient = MetaqClient.create(
        vertx, options().setSendTimeout(Duration.ofSeconds(2)).setRequestTimeout(Duration.ofSeconds(20)), new Jumping());
    CompletableFuture<SendReceipt> late = impatient.send(HELLO).subscribeAsCompletionStage();
    aheadMs.set(TimeUnit.HOURS.toMillis(-hours));
    assertThat(late).failsWithin(LIMIT).withThrowableThat().havingCause().isInstanceOfSatisfying(
        MetaqException.class, failure -> assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT));
    await(impatient.close());
  }

  /** Brokers keep the newest filter they were told. */
  @Test
  void shouldTellItsNextFilterAsTheNewerOneAlsoWhenTheClockWentBack() {
    cluster.topic("U", 1);
    take(MEMBER.tags("a"), 1);
    Taker other = take(Subscription.to("U").group(GROUP), 1);
    until(() -> !versions().isEmpty());
    long before = versions().stream().mapToLong(Long::longValue).max().orElseThrow();

    aheadMs.set(TimeUnit.HOURS.toMillis(-5));
    other.cancel();
    take(Subscription.to("U").group(GROUP).tags("b"), 1);

    until(() -> versions().stream().anyMatch(version -> version > before));
  }

  /** Of topic U, as heartbeats told them. */
  private List<Long> versions() {
    List<Long> versions = new ArrayList<>();
    cluster.requests(RequestCode.HEART_BEAT).forEach(beat -> {
      String text = new String(beat.body(), StandardCharsets.UTF_8);
      Matcher matcher = Pattern.compile("\\{[^{}]*\"topic\":\"U\"[^{}]*}").matcher(text);
      while (matcher.find()) {
        versions.add(Long.parseLong(matcher.group().replaceAll("(?s).*\"subVersion\":(\\d+).*", "$1")));
      }
    });
    return versions;
  }

  @Test
  void shouldMakeNoIdTwiceWhereTheSameTimeComesAgain() {
    HandClock clock = new HandClock();
    UniqueKeys keys = new UniqueKeys(clock, new Random(7));
    Set<String> all = new HashSet<>();
    int made = 0;

    for (int again = 0; again < 140; again++) {
      for (int ms = 0; ms < 10; ms++) {
        for (int i = 0; i < 100; i++) {
          all.add(keys.next());
          made++;
        }
        clock.advance(1);
      }
      clock.advance(-10);
    }

    assertThat(all).hasSize(made);
  }
}
