package io.metaq.launcher;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import org.slf4j.LoggerFactory;

/**
 * Log lines of a process: to standard error, because standard output belongs to the ready line and to the answers of commands. Set up
 * in code and not by a {@code logback.xml}, for two reasons: reading XML and patterns is a third of the start, and such a file in our jar would
 * be taken for the application's own where MetaQ is only its client. {@code -Dlogback.configurationFile} wins over all of it.
 */
public final class Logging {
  private static final String OWN = "io.metaq";

  private Logging() {}

  /** Before the first line of the process. */
  public static void setUp() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    if (System.getProperty("logback.configurationFile") != null) {
      return;
    }
    context.reset();
    LogLine layout = new LogLine();
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setLayout(layout);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(appender);
    level("INFO");
  }

  /** How much MetaQ's own loggers tell: ERROR, WARN, INFO, DEBUG or TRACE. */
  public static void level(String level) {
    ((Logger) LoggerFactory.getLogger(OWN)).setLevel(Level.valueOf(level));
  }
}
