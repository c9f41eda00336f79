package io.metaq.model;

import java.util.Set;

/** Properties that clients and brokers use for themselves: they are not shown as the user's own, and nobody sends them as such. */
public final class SystemProperties {
  private static final Set<String> NAMES = Set.of(
      PropertyNames.TAGS, PropertyNames.KEYS, PropertyNames.UNIQ_KEY, PropertyNames.WAIT, PropertyNames.DELAY,
      PropertyNames.RETRY_TOPIC, PropertyNames.REAL_TOPIC, PropertyNames.REAL_QID, PropertyNames.TRAN_MSG, PropertyNames.PGROUP,
      PropertyNames.TRANSACTION_ID, PropertyNames.TRANSACTION_CHECK_TIMES, PropertyNames.TRAN_PREPARED_QUEUE_OFFSET,
      PropertyNames.CHECK_IMMUNITY_TIME_IN_SECONDS, PropertyNames.ORIGIN_MESSAGE_ID, PropertyNames.RECONSUME_TIME,
      PropertyNames.MAX_RECONSUME_TIMES, PropertyNames.MSG_REGION, PropertyNames.TRACE_ON, PropertyNames.CLUSTER,
      PropertyNames.REPLY_TO_CLIENT, PropertyNames.PUSH_REPLY_TIME, PropertyNames.POP_CK, PropertyNames.FIRST_POP_TIME,
      PropertyNames.ORIGIN_GROUP, PropertyNames.TIMER_DELAY_SEC, PropertyNames.TIMER_DELAY_MS, PropertyNames.TIMER_DELIVER_MS,
      PropertyNames.TIMER_OUT_MS, PropertyNames.TIMER_ROLL_TIMES, PropertyNames.TIMER_DEL_UNIQKEY, "TIMER_ENQUEUE_MS",
      "TIMER_DEQUEUE_MS", "BUYER_ID", "TRANSFER_FLAG", "CORRECTION_FLAG", "MQ2_FLAG", "MIN_OFFSET", "MAX_OFFSET", "MSG_TYPE",
      "CORRELATION_ID", "TTL", "ARRIVE_TIME", "INSTANCE_ID", "EXTEND_UNIQ_INFO", "CONSUME_START_TIME", "INNER_NUM", "INNER_BASE",
      "DUP_INFO", "__SHARDINGKEY", "DLQ_ORIGIN_TOPIC", "DLQ_ORIGIN_MESSAGE_ID");

  private SystemProperties() {}

  public static boolean contains(String name) {
    return NAMES.contains(name);
  }
}
