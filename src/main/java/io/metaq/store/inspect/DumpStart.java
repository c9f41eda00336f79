package io.metaq.store.inspect;

/**
 * Where a dump begins.
 *
 * @param offset log position of a record, or number of a unit; 0 for the beginning
 * @param timeMs nothing that was stored before; 0 for any time
 */
public record DumpStart(long offset, long timeMs) {
  /** At the first there is. */
  public static final DumpStart BEGINNING = new DumpStart(0, 0);

  public static DumpStart atOffset(long offset) {
    return new DumpStart(offset, 0);
  }

  public static DumpStart atTime(long timeMs) {
    return new DumpStart(0, timeMs);
  }
}
