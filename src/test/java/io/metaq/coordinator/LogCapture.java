package io.metaq.coordinator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What one class logs while this is open, for warnings that are part of its behaviour. For classes used on the test's thread. */
final class LogCapture implements AutoCloseable {
  private final Logger logger;
  private final Level before;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  LogCapture(Class<?> source) {
    logger = (Logger) LoggerFactory.getLogger(source);
    before = logger.getLevel();
    logger.setLevel(Level.INFO);
    lines.start();
    logger.addAppender(lines);
  }

  List<String> at(Level level) {
    return lines.list.stream().filter(line -> line.getLevel() == level).map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(lines);
    logger.setLevel(before);
  }
}
