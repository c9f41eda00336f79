package io.metaq.launcher;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import io.metaq.model.OwnedBy;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** One log event as a line: time with offset, level, class, text, and the whole stack of its cause where it has one. */
@OwnedBy("nobody: it has no state of its own beside Logback's")
final class LogLine extends LayoutBase<ILoggingEvent> {
  static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneId.systemDefault());

  @Override
  public String doLayout(ILoggingEvent event) {
    String logger = event.getLoggerName();
    StringBuilder line = new StringBuilder(128);
    TIME.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
    line.append(' ').append(event.getLevel()).append(' ');
    line.append(logger, logger.lastIndexOf('.') + 1, logger.length());
    line.append(" - ").append(event.getFormattedMessage()).append(System.lineSeparator());
    IThrowableProxy cause = event.getThrowableProxy();
    if (cause != null) {
      line.append(ThrowableProxyUtil.asString(cause));
    }
    return line.toString();
  }
}
