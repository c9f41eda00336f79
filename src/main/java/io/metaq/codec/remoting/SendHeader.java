package io.metaq.codec.remoting;

import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import java.util.List;

/**
 * The header of a send: SEND_MESSAGE with its long field names, SEND_MESSAGE_V2 and SEND_BATCH_MESSAGE with their letters, and the
 * two reply requests that look the same.
 */
@OwnedBy("the loop that reads with it")
public final class SendHeader extends HotHeader {
  private static final int GROUP = 0;
  private static final int TOPIC = 1;
  private static final int DEFAULT_TOPIC = 2;
  private static final int DEFAULT_TOPIC_QUEUES = 3;
  private static final int QUEUE_ID = 4;
  private static final int SYS_FLAG = 5;
  private static final int BORN_TIMESTAMP = 6;
  private static final int FLAG = 7;
  private static final int PROPERTIES = 8;
  private static final int RECONSUME_TIMES = 9;
  private static final int UNIT_MODE = 10;
  private static final int MAX_RECONSUME_TIMES = 11;
  private static final int BATCH = 12;

  /** By slot; the letter of slot n is the n-th of the alphabet. */
  private static final List<String> NAMES = List.of("producerGroup", "topic", "defaultTopic", "defaultTopicQueueNums", "queueId", "sysFlag",
      "bornTimestamp", "flag", "properties", "reconsumeTimes", "unitMode", "maxReconsumeTimes", "batch");
  private static final FieldNames LONG_NAMES = new FieldNames(NAMES);

  private int defaultTopicQueues;
  private int queueId;
  private int sysFlag;
  private int flag;
  private int reconsumeTimes;
  private int maxReconsumeTimes;
  private long bornTimestamp;

  public SendHeader() {
    super(NAMES.size());
  }

  @Override
  int slot(byte[] name, int from, int length) {
    int code = code();
    if (code == RequestCode.SEND_MESSAGE.wire() || code == RequestCode.SEND_REPLY_MESSAGE.wire()) {
      return LONG_NAMES.slot(name, from, length);
    }
    int slot = length == 1 ? name[from] - 'a' : -1;
    return slot < NAMES.size() ? slot : -1;
  }

  @Override
  String name(int slot) {
    return NAMES.get(slot);
  }

  @Override
  void convert() {
    require(GROUP);
    require(TOPIC);
    require(DEFAULT_TOPIC);
    defaultTopicQueues = requireInt(DEFAULT_TOPIC_QUEUES);
    queueId = requireInt(QUEUE_ID);
    sysFlag = requireInt(SYS_FLAG);
    bornTimestamp = requireLong(BORN_TIMESTAMP);
    flag = requireInt(FLAG);
    reconsumeTimes = intOr(RECONSUME_TIMES, 0);
    maxReconsumeTimes = intOr(MAX_RECONSUME_TIMES, -1);
  }

  public int topicStart() {
    return start(TOPIC);
  }

  public int topicLength() {
    return length(TOPIC);
  }

  /** The topic, the same object for the same name as long as the cache holds it. */
  public String topic() {
    return string(TOPIC);
  }

  public int groupStart() {
    return start(GROUP);
  }

  public int groupLength() {
    return length(GROUP);
  }

  public String group() {
    return string(GROUP);
  }

  public int defaultTopicStart() {
    return start(DEFAULT_TOPIC);
  }

  public int defaultTopicLength() {
    return length(DEFAULT_TOPIC);
  }

  public String defaultTopic() {
    return string(DEFAULT_TOPIC);
  }

  public int propertiesStart() {
    return start(PROPERTIES);
  }

  /** 0 when there are none. */
  public int propertiesLength() {
    return length(PROPERTIES);
  }

  /** Queues wanted if the topic is to be made. */
  public int defaultTopicQueues() {
    return defaultTopicQueues;
  }

  /** Negative when the broker is to choose. */
  public int queueId() {
    return queueId;
  }

  public int sysFlag() {
    return sysFlag;
  }

  /** The user's flag, stored as it is; not the flag of the frame. */
  public int flag() {
    return flag;
  }

  public int reconsumeTimes() {
    return reconsumeTimes;
  }

  /** -1 when absent. */
  public int maxReconsumeTimes() {
    return maxReconsumeTimes;
  }

  /** Ms since 1970 by the producer's clock. */
  public long bornTimestamp() {
    return bornTimestamp;
  }

  public boolean batch() {
    return isTrue(BATCH);
  }

  public boolean unitMode() {
    return isTrue(UNIT_MODE);
  }
}
