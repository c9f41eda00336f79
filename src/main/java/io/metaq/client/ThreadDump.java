package io.metaq.client;

import java.util.Map;

/** The threads of the process as text, for a tool that asks a member for them. Takes time: not on an event loop. */
final class ThreadDump {
  private ThreadDump() {}

  static String text() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Thread, StackTraceElement[]> one : Thread.getAllStackTraces().entrySet()) {
      Thread thread = one.getKey();
      text.append(thread.getName()).append("  TID: ").append(thread.getId()).append(" STATE: ").append(thread.getState()).append('\n');
      for (StackTraceElement frame : one.getValue()) {
        text.append("    ").append(frame).append('\n');
      }
      text.append('\n');
    }
    return text.toString();
  }
}
