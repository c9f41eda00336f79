package io.metaq.client;

import java.util.Map;
import java.util.TreeMap;

/**
 * Some messages of a {@link MetaqClient#sendAll} could not be sent, others perhaps were. {@link #reason}, {@link #code} and {@link
 * #broker} are those of the first that failed; {@link #retryable} says whether each of those that failed may succeed later.
 */
public final class SendAllException extends MetaqException {
  private static final long serialVersionUID = 1L;

  private final transient Map<Integer, SendReceipt> stored;
  private final transient Map<Integer, MetaqException> failed;

  /**
   * @param stored by place in the list
   * @param failed by place in the list, at least one
   */
  SendAllException(Map<Integer, SendReceipt> stored, TreeMap<Integer, MetaqException> failed) {
    super(
        failed.firstEntry().getValue(),
        failed.values().stream().allMatch(MetaqException::retryable),
        failed.size() + " of " + (stored.size() + failed.size()) + " messages could not be sent; the first: "
            + failed.firstEntry().getValue().getMessage());
    this.stored = Map.copyOf(stored);
    this.failed = Map.copyOf(failed);
  }

  /** Receipts of the messages that are stored, by place in the list from 0. */
  public Map<Integer, SendReceipt> stored() {
    return stored;
  }

  /** Failures of the messages that are not, or of which it is not known, by place in the list from 0. */
  public Map<Integer, MetaqException> failed() {
    return failed;
  }
}
