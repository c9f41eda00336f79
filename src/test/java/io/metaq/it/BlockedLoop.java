package io.metaq.it;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A report of the blocked-thread checker about an event loop that really was blocked: it waited (lock, park, sleep) or worked on
 * files. One that computes is given {@value #BUSY_LIMIT_MS} ms, because a starved test machine looks just like that; so does the
 * loading of classes.
 */
public record BlockedLoop(long blockedMs, String stack) {

  private static final long BUSY_LIMIT_MS = 3_000;
  private static final Pattern REPORT =
      Pattern.compile("eventloop-thread-\\d+ has been blocked for (\\d+) ms[^\\n]*\\n((?:(?!\\d{4}-\\d\\d-\\d\\dT)[^\\n]*\\n)*)");
  private static final Pattern WAITS = Pattern.compile(
      "Unsafe\\.park|Object\\.wait|Thread\\.sleep|FileDispatcherImpl|MappedMemoryUtils|UnixNativeDispatcher|RandomAccessFile|File(In|Out)putStream");
  private static final Pattern EXCUSED = Pattern.compile("ClassLoader|jdk\\.internal\\.loader|ch\\.qos\\.logback");

  static List<BlockedLoop> reportedIn(String log) {
    List<BlockedLoop> found = new ArrayList<>();
    Matcher reports = REPORT.matcher(log);
    while (reports.find()) {
      BlockedLoop report = new BlockedLoop(Long.parseLong(reports.group(1)), reports.group(2));
      if (report.isRealBlock()) {
        found.add(report);
      }
    }
    return found;
  }

  private boolean isRealBlock() {
    boolean waits = WAITS.matcher(stack).find() && !EXCUSED.matcher(stack).find();
    return waits || blockedMs > BUSY_LIMIT_MS;
  }
}
