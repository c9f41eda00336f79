package io.metaq.broker;

import io.metaq.model.OwnedBy;
import io.metaq.model.RecordFilter;
import java.util.List;
import java.util.function.Supplier;

/**
 * What one pull selects while the members of its group want different things: filters that note what they pass over. One read of a
 * pull is made at a time, so the last filter is that of the read that was answered.
 */
@OwnedBy("whoever reads for the pull, then its event loop")
final class WatchfulSelection implements Supplier<RecordFilter> {
  private final Supplier<RecordFilter> own;
  private final List<Supplier<RecordFilter>> others;
  private WatchfulFilter last;

  /**
   * @param others what the other sides want
   */
  WatchfulSelection(Supplier<RecordFilter> own, List<Supplier<RecordFilter>> others) {
    this.own = own;
    this.others = others;
  }

  @Override
  public RecordFilter get() {
    last = new WatchfulFilter(own.get(), others.stream().map(Supplier::get).toList());
    return last;
  }

  /** As {@link WatchfulFilter#firstPassedOver}, of the last read. */
  long firstPassedOver() {
    return last == null ? WatchfulFilter.NONE : last.firstPassedOver();
  }
}
