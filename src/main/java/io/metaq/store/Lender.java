package io.metaq.store;

/** Whose bytes a {@link RecordSlice} shows. */
interface Lender {
  /** Gives them back; once for each time they were lent. From any thread. */
  void release();
}
