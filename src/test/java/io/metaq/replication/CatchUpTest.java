package io.metaq.replication;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class CatchUpTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long GOAL = 1_000_000_000L;

  private final Logger logger = (Logger) LoggerFactory.getLogger(CatchUp.class);
  private final Level before = logger.getLevel();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(lines);
    logger.setLevel(before);
  }

  @Test
  void shouldTellEveryFiveSecondsHowMuchIsLeftAndHowLongItTakes() {
    CatchUp catchUp = new CatchUp(0, 0, GOAL);

    catchUp.look(4 * SECOND_NS, 400_000_000, 100_000_000);
    catchUp.look(5 * SECOND_NS, 500_000_000, 100_000_000);
    catchUp.look(6 * SECOND_NS, 600_000_000, 100_000_000);

    assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("catching up with the master position=500000000 bytesLeft=500000000 bytesPerSecond=100000000 secondsLeft=5");
    assertThat(catchUp).hasToString(" bytesLeft=400000000 bytesPerSecond=100000000 secondsLeft=4");
  }

  @Test
  void shouldTellOnceThatItIsThere() {
    CatchUp catchUp = new CatchUp(0, 100, GOAL);

    catchUp.look(2 * SECOND_NS, GOAL, 100_000_000);
    catchUp.look(20 * SECOND_NS, GOAL + 1, 0);

    assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("caught up with the master position=1000000000 bytes=999999900 tookMs=2000");
    assertThat(catchUp).hasToString("");
  }

  @Test
  void shouldNotKnowHowLongItTakesWhenNothingComes() {
    CatchUp catchUp = new CatchUp(0, 0, GOAL);

    catchUp.look(5 * SECOND_NS, 1000, 0);

    assertThat(catchUp).hasToString(" bytesLeft=999999000 bytesPerSecond=0 secondsLeft=unknown");
  }

  @Test
  void shouldSayNothingOfASlaveThatIsNotFarBehind() {
    CatchUp catchUp = new CatchUp(0, GOAL - CatchUp.FAR_BYTES + 1, GOAL);

    catchUp.look(5 * SECOND_NS, GOAL - 1, 0);
    catchUp.look(10 * SECOND_NS, GOAL, 0);

    assertThat(lines.list).isEmpty();
    assertThat(catchUp).hasToString("");
  }
}
