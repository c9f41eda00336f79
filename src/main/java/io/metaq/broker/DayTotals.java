package io.metaq.broker;

import java.time.LocalDate;

/**
 * Messages in and out of a broker over all its processes, as the day and the day before began and now.
 *
 * @param day today
 */
record DayTotals(LocalDate day, Count yesterdayMorning, Count thisMorning, Count now) {
  /** Messages stored, and messages read. */
  record Count(long stored, long read) {
    static final Count NONE = new Count(0, 0);

    Count plus(Count more) {
      return new Count(stored + more.stored, read + more.read);
    }
  }

  /** The first day of a broker. */
  static DayTotals beginning(LocalDate day) {
    return new DayTotals(day, Count.NONE, Count.NONE, Count.NONE);
  }

  /** The same at another moment, which may be in another day. */
  DayTotals at(LocalDate today, Count total) {
    if (today.equals(day)) {
      return new DayTotals(day, yesterdayMorning, thisMorning, total);
    }
    // What came since the last look is counted for the day before; after a gap of days nobody knows when it was.
    return new DayTotals(today, today.equals(day.plusDays(1)) ? thisMorning : total, total, total);
  }
}
