package io.metaq.codec.remoting;

import io.metaq.model.OwnedBy;
import java.util.List;

/** The header of PULL_MESSAGE and LITE_PULL_MESSAGE. */
@OwnedBy("the loop that reads with it")
public final class PullHeader extends HotHeader {
  private static final int GROUP = 0;
  private static final int TOPIC = 1;
  private static final int QUEUE_ID = 2;
  private static final int QUEUE_OFFSET = 3;
  private static final int MAX_MSG_NUMS = 4;
  private static final int SYS_FLAG = 5;
  private static final int COMMIT_OFFSET = 6;
  private static final int SUSPEND_TIMEOUT = 7;
  private static final int SUBSCRIPTION = 8;
  private static final int SUB_VERSION = 9;
  private static final int EXPRESSION_TYPE = 10;
  private static final int MAX_MSG_BYTES = 11;

  private static final List<String> NAMES = List.of("consumerGroup", "topic", "queueId", "queueOffset", "maxMsgNums", "sysFlag",
      "commitOffset", "suspendTimeoutMillis", "subscription", "subVersion", "expressionType", "maxMsgBytes");
  private static final FieldNames FIELDS = new FieldNames(NAMES);

  private int queueId;
  private long queueOffset;
  private int maxMsgNums;
  private int maxMsgBytes;
  private int sysFlag;
  private long commitOffset;
  private long suspendTimeoutMs;
  private long subVersion;

  public PullHeader() {
    super(NAMES.size());
  }

  @Override
  int slot(byte[] name, int from, int length) {
    return FIELDS.slot(name, from, length);
  }

  @Override
  String name(int slot) {
    return NAMES.get(slot);
  }

  @Override
  void convert() {
    require(GROUP);
    require(TOPIC);
    queueId = requireInt(QUEUE_ID);
    queueOffset = requireLong(QUEUE_OFFSET);
    maxMsgNums = requireInt(MAX_MSG_NUMS);
    sysFlag = requireInt(SYS_FLAG);
    commitOffset = requireLong(COMMIT_OFFSET);
    suspendTimeoutMs = requireLong(SUSPEND_TIMEOUT);
    subVersion = longOr(SUB_VERSION, 0);
    maxMsgBytes = intOr(MAX_MSG_BYTES, -1);
  }

  public int groupStart() {
    return start(GROUP);
  }

  public int groupLength() {
    return length(GROUP);
  }

  /** The group, the same object for the same name as long as the cache holds it. */
  public String group() {
    return string(GROUP);
  }

  public int topicStart() {
    return start(TOPIC);
  }

  public int topicLength() {
    return length(TOPIC);
  }

  public String topic() {
    return string(TOPIC);
  }

  public int queueId() {
    return queueId;
  }

  /** First offset wanted. */
  public long queueOffset() {
    return queueOffset;
  }

  public int maxMsgNums() {
    return maxMsgNums;
  }

  /** -1 when absent. */
  public int maxMsgBytes() {
    return maxMsgBytes;
  }

  public int sysFlag() {
    return sysFlag;
  }

  public long commitOffset() {
    return commitOffset;
  }

  public long suspendTimeoutMs() {
    return suspendTimeoutMs;
  }

  public boolean hasSubscription() {
    return has(SUBSCRIPTION);
  }

  public int subscriptionStart() {
    return start(SUBSCRIPTION);
  }

  /** 0 when absent. */
  public int subscriptionLength() {
    return length(SUBSCRIPTION);
  }

  /** The filter expression, empty when absent. */
  public String subscription() {
    return string(SUBSCRIPTION);
  }

  /** 0 when absent. */
  public long subVersion() {
    return subVersion;
  }

  /** Kind of the filter expression, empty when absent, which means tags. */
  public String expressionType() {
    return string(EXPRESSION_TYPE);
  }
}
