package io.metaq.net;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.metaq.model.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RefusalLogTest {
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(RefusalLog.class);
  private long nowNs;
  private final RefusalLog log = new RefusalLog(new Clock() {
    @Override
    public long millis() {
      return TimeUnit.NANOSECONDS.toMillis(nowNs);
    }

    @Override
    public long nanos() {
      return nowNs;
    }
  });

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(lines);
  }

  @Test
  void shouldSumUpWhatFollowsTheFirstOfAKind() {
    for (int i = 0; i < 5; i++) {
      log.refused(Refusal.HTTP, "1.2.3.4:5", "");
    }
    log.refused(Refusal.TLS, "1.2.3.4:5", "");
    nowNs = TimeUnit.SECONDS.toNanos(10) - 1;
    log.sweep(nowNs);
    assertThat(texts()).hasSize(2);

    nowNs++;
    log.sweep(nowNs);

    assertThat(texts()).hasSize(3);
    assertThat(texts().get(2)).contains("speaks HTTP").contains("connections=4");
  }

  @Test
  void shouldLogTheFirstOfAKindAgainAfterAQuietWhile() {
    log.refused(Refusal.HEADER, "1.2.3.4:5", "no JSON");
    nowNs = TimeUnit.SECONDS.toNanos(11);
    log.sweep(nowNs);

    log.refused(Refusal.HEADER, "5.6.7.8:9", "no JSON");

    assertThat(texts()).hasSize(2);
    assertThat(texts().get(1)).contains("remote=5.6.7.8:9").contains("detail=no JSON");
  }

  private List<String> texts() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
