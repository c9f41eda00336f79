package io.metaq.coordinator.api;

import io.metaq.model.ResultCode;
import java.util.List;

/**
 * What became of a {@link PopRequest}.
 *
 * @param remark why there is nothing, null when there is nothing to say
 * @param reviveQueueId queue of the revive log with the check points, 999 for an ordered pop
 * @param rest about how many messages more wait in the queues it asked for
 * @param queues what it gets; empty unless the code is {@code SUCCESS}, and for a notice always
 * @param orderCounts of an ordered pop, how often its messages were delivered before, as the wire has it; empty otherwise
 */
public record PopAnswer(
    long ticket,
    ResultCode code,
    String remark,
    long popTimeMs,
    long invisibleMs,
    int reviveQueueId,
    long rest,
    List<PoppedQueue> queues,
    String orderCounts) {
  public PopAnswer {
    queues = List.copyOf(queues);
  }

  /** One without messages. */
  public static PopAnswer empty(PopRequest request, ResultCode code, String remark, long nowMs, long rest) {
    return new PopAnswer(request.ticket(), code, remark, nowMs, request.invisibleMs(), 0, rest, List.of(), "");
  }

  /** Gives the records back, for a reader that does not hand them on. */
  public void release() {
    queues.forEach(PoppedQueue::release);
  }
}
