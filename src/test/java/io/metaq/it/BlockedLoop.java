package io.metaq.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A report of the blocked-thread checker about an event loop that really was blocked: it waited (lock, park, sleep) or worked on
 * files. One that computes is given {@value #BUSY_LIMIT_MS} ms, because a starved test machine looks just like that; so does the
 * loading of classes. It is found blocked twice in the same task: a machine that stands still stops the checker too, which reports
 * whatever the loop happens to do when both go on, and then no more.
 */
public record BlockedLoop(String thread, long blockedMs, String stack) {

  private static final long BUSY_LIMIT_MS = 3_000;
  /** The checker looks more often. */
  private static final long SAME_TASK_MS = 2_500;
  private static final Pattern REPORT =
      Pattern.compile("(eventloop-thread-\\d+) has been blocked for (\\d+) ms[^\\n]*\\n((?:(?!\\d{4}-\\d\\d-\\d\\dT)[^\\n]*\\n)*)");
  private static final Pattern WAITS = Pattern.compile(
      "Unsafe\\.park|Object\\.wait|Thread\\.sleep|FileDispatcherImpl|MappedMemoryUtils|UnixNativeDispatcher|RandomAccessFile|File(In|Out)putStream");
  private static final Pattern EXCUSED = Pattern.compile("ClassLoader|jdk\\.internal\\.loader|ch\\.qos\\.logback|SocketDispatcher|SocketChannelImpl");

  static List<BlockedLoop> reportedIn(String log) {
    List<BlockedLoop> found = new ArrayList<>();
    Map<String, BlockedLoop> before = new HashMap<>();
    Matcher reports = REPORT.matcher(log);
    while (reports.find()) {
      BlockedLoop report = new BlockedLoop(reports.group(1), Long.parseLong(reports.group(2)), reports.group(3));
      if (report.isSuspicious()) {
        BlockedLoop earlier = before.put(report.thread, report);
        if (earlier != null && report.isOfTheTaskOf(earlier)) {
          found.add(report);
        }
      }
    }
    return found;
  }

  private boolean isOfTheTaskOf(BlockedLoop earlier) {
    return earlier.blockedMs < blockedMs && blockedMs - earlier.blockedMs < SAME_TASK_MS;
  }

  private boolean isSuspicious() {
    boolean waits = WAITS.matcher(stack).find() && !EXCUSED.matcher(stack).find();
    return waits || blockedMs > BUSY_LIMIT_MS;
  }
}
