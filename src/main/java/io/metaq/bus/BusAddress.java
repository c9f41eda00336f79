package io.metaq.bus;

/**
 * Every address of the local event bus. A process runs one broker for each Vert.x instance, so the names need no prefix of their own.
 */
public final class BusAddress {
  /** {@link AppendBatch} to the commit log's writer. */
  public static final String APPEND = "metaq.commitlog.append";
  /** {@link CopiedPiece} to the commit log's writer on a slave. */
  public static final String COPY = "metaq.commitlog.copy";
  /** Where {@link CopiedPiece}s come back to. */
  public static final String COPIED = "metaq.replication.copied";
  /** {@link FlushNudge} to whoever forces the log. */
  public static final String FLUSH = "metaq.flush.nudge";
  /** A nudge (no body) to the dispatcher: the readable end moved. */
  public static final String DISPATCH = "metaq.dispatch.nudge";
  /** {@link Watches} to the dispatcher. */
  public static final String WATCH = "metaq.dispatch.watch";
  /** {@link QueueBegun} of the dispatcher, for whoever keeps a slave's tables; on a master nobody listens. */
  public static final String QUEUE_BEGUN = "metaq.dispatch.begun";
  /** A nudge (no body) to housekeeping: little prepared space is left. */
  public static final String PREPARE = "metaq.housekeeping.prepare";
  /** A nudge (no body) to replication: the end of what slaves may have moved. */
  public static final String REPLICATE = "metaq.replication.nudge";
  /** To replication: where the master of this broker's group is. */
  public static final String MASTER = "metaq.replication.master";

  private BusAddress() {}

  /** Where the {@link AppendBatch}es of sender {@code sender} come back to. */
  public static String appended(int sender) {
    return "metaq.sender." + sender + ".appended";
  }

  /** Where sender {@code sender} hears {@link Watermark}s. */
  public static String watermark(int sender) {
    return "metaq.sender." + sender + ".watermark";
  }

  /** Where loop {@code loop} hears {@link Arrivals}. */
  public static String arrivals(int loop) {
    return "metaq.loop." + loop + ".arrivals";
  }

  /** Where loop {@code loop} hears what became of its pops. */
  public static String popped(int loop) {
    return "metaq.loop." + loop + ".popped";
  }

  /** Where loop {@code loop} hears changes of topics, groups and members. */
  public static String deltas(int loop) {
    return "metaq.loop." + loop + ".deltas";
  }

  /** Where loop {@code loop} takes requests that others send to its clients. */
  public static String relays(int loop) {
    return "metaq.loop." + loop + ".relays";
  }
}
