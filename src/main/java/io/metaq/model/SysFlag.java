package io.metaq.model;

/** Bits of a stored record's system flag (protocol facts: record layout, system flag). */
public final class SysFlag {
  public static final int COMPRESSED = 0x1;
  public static final int TRANSACTION_MASK = 0xC;
  public static final int TRANSACTION_NONE = 0;
  public static final int TRANSACTION_PREPARED = 0x4;
  public static final int TRANSACTION_COMMIT = 0x8;
  public static final int TRANSACTION_ROLLBACK = 0xC;
  public static final int BORN_HOST_V6 = 0x10;
  public static final int STORE_HOST_V6 = 0x20;
  public static final int NEEDS_UNWRAP = 0x40;
  public static final int INNER_BATCH = 0x80;

  private SysFlag() {}

  /** Whether a record with this flag belongs in a consume queue: not for prepared and rolled back ones. */
  public static boolean queued(int sysFlag) {
    int state = sysFlag & TRANSACTION_MASK;
    return state == TRANSACTION_NONE || state == TRANSACTION_COMMIT;
  }
}
