package io.metaq.model;

/** Names of message properties that brokers and clients read or write. */
public final class PropertyNames {
  public static final String TAGS = "TAGS";
  public static final String KEYS = "KEYS";
  public static final String UNIQ_KEY = "UNIQ_KEY";
  public static final String WAIT = "WAIT";
  public static final String SHARDING_KEY = "__SHARDINGKEY";
  public static final String DELAY = "DELAY";
  public static final String RETRY_TOPIC = "RETRY_TOPIC";
  public static final String REAL_TOPIC = "REAL_TOPIC";
  public static final String REAL_QID = "REAL_QID";
  public static final String TRAN_MSG = "TRAN_MSG";
  public static final String PGROUP = "PGROUP";
  public static final String TRANSACTION_ID = "__transactionId__";
  public static final String TRANSACTION_CHECK_TIMES = "TRANSACTION_CHECK_TIMES";
  public static final String TRAN_PREPARED_QUEUE_OFFSET = "TRAN_PREPARED_QUEUE_OFFSET";
  public static final String CHECK_IMMUNITY_TIME_IN_SECONDS = "CHECK_IMMUNITY_TIME_IN_SECONDS";
  public static final String ORIGIN_MESSAGE_ID = "ORIGIN_MESSAGE_ID";
  public static final String RECONSUME_TIME = "RECONSUME_TIME";
  public static final String MAX_RECONSUME_TIMES = "MAX_RECONSUME_TIMES";
  public static final String MSG_REGION = "MSG_REGION";
  public static final String TRACE_ON = "TRACE_ON";
  public static final String CLUSTER = "CLUSTER";
  public static final String REPLY_TO_CLIENT = "REPLY_TO_CLIENT";
  public static final String CORRELATION_ID = "CORRELATION_ID";
  public static final String MSG_TYPE = "MSG_TYPE";
  public static final String TTL = "TTL";
  public static final String PUSH_REPLY_TIME = "PUSH_REPLY_TIME";
  public static final String POP_CK = "POP_CK";
  public static final String FIRST_POP_TIME = "1ST_POP_TIME";
  public static final String ORIGIN_GROUP = "ORIGIN_GROUP";
  public static final String TIMER_DELAY_SEC = "TIMER_DELAY_SEC";
  public static final String TIMER_DELAY_MS = "TIMER_DELAY_MS";
  public static final String TIMER_DELIVER_MS = "TIMER_DELIVER_MS";
  public static final String TIMER_OUT_MS = "TIMER_OUT_MS";
  public static final String TIMER_ROLL_TIMES = "TIMER_ROLL_TIMES";
  public static final String TIMER_DEL_UNIQKEY = "TIMER_DEL_UNIQKEY";

  private PropertyNames() {}
}
