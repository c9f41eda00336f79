package io.metaq.broker;

import io.metaq.coordinator.api.PoppedQueue;
import io.metaq.model.OwnedBy;

/**
 * Which messages a pop's answer holds, as the wire has it: for each queue {@code retry queueId startOffset}, and
 * {@code retry queueId offset,offset}; queues are joined by semicolons, and each stands once.
 */
@OwnedBy("its event loop")
final class PopAnswerText {
  private final StringBuilder startOffsets = new StringBuilder();
  private final StringBuilder messageOffsets = new StringBuilder();

  void add(PoppedQueue queue) {
    begin(startOffsets, queue).append(queue.startOffset());
    begin(messageOffsets, queue);
    for (int i = 0; i < queue.queueOffsets().length; i++) {
      messageOffsets.append(i == 0 ? "" : ",").append(queue.queueOffsets()[i]);
    }
  }

  private static StringBuilder begin(StringBuilder text, PoppedQueue queue) {
    return text.append(text.length() == 0 ? "" : ";").append(queue.retry() ? "1 " : "0 ").append(queue.queueId()).append(' ');
  }

  String startOffsets() {
    return startOffsets.toString();
  }

  String messageOffsets() {
    return messageOffsets.toString();
  }
}
