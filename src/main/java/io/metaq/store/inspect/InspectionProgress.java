package io.metaq.store.inspect;

/** Hears now and then how far a long inspection has come. */
public interface InspectionProgress {
  /** Some {@code done} of {@code total} bytes of an area are read; called often, so it must be cheap. */
  void reached(Area area, long done, long total);
}
