package io.metaq.broker;

import io.metaq.codec.record.RecordLayout;
import io.metaq.model.OwnedBy;
import io.metaq.model.RecordFilter;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Selects what a reader wants, and notes the first record that it does not want, but another side of its group does. Its place is read
 * from the record itself, so what others may want costs a look into the log, up to that first one.
 */
@OwnedBy("the read it was made for")
final class WatchfulFilter implements RecordFilter {
  static final long NONE = -1;

  private final RecordFilter own;
  private final List<RecordFilter> others;
  private long tagsCode;
  private long firstPassedOver = NONE;

  WatchfulFilter(RecordFilter own, List<RecordFilter> others) {
    this.own = own;
    this.others = others;
  }

  @Override
  public boolean admits(long code) {
    tagsCode = code;
    return own.admits(code) || firstPassedOver == NONE && others.stream().anyMatch(other -> other.admits(code));
  }

  @Override
  public boolean admits(ByteBuffer log, int at) {
    if (own.admits(tagsCode) && own.admits(log, at)) {
      return true;
    }
    if (firstPassedOver == NONE && others.stream().anyMatch(other -> other.admits(tagsCode) && other.admits(log, at))) {
      firstPassedOver = log.getLong(at + RecordLayout.QUEUE_OFFSET);
    }
    return false;
  }

  @Override
  public boolean judgesRecords() {
    return true;
  }

  @Override
  public boolean tired() {
    return own.tired() || others.stream().anyMatch(RecordFilter::tired);
  }

  /** Queue offset of the first record that others want; {@value #NONE} when there was none. */
  long firstPassedOver() {
    return firstPassedOver;
  }
}
