package io.metaq.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Every result code a MetaQ server answers with: its wire number, whether another try can help, and what it means. The numbers are
 * those of the RocketMQ remoting protocol; only the codec turns a code into bytes.
 */
public enum ResultCode {
  SUCCESS(0, false, "done"),
  SYSTEM_ERROR(1, true, "the request failed; the remark says why"),
  SYSTEM_BUSY(2, true, "too much is waiting; try again a little later"),
  REQUEST_CODE_NOT_SUPPORTED(3, false, "this server does not know the request code"),
  FLUSH_DISK_TIMEOUT(10, false, "stored, but not confirmed on disk in time"),
  SLAVE_NOT_AVAILABLE(11, false, "stored, but no slave is in sync"),
  FLUSH_SLAVE_TIMEOUT(12, false, "stored, but no slave confirmed in time"),
  MESSAGE_ILLEGAL(13, false, "the message breaks a limit or a rule"),
  SERVICE_NOT_AVAILABLE(14, true, "this broker takes no writes now"),
  NO_PERMISSION(16, false, "not permitted on this broker, topic or group"),
  TOPIC_NOT_EXIST(17, false, "the topic does not exist here"),
  PULL_NOT_FOUND(19, true, "no message at that offset yet"),
  PULL_RETRY_IMMEDIATELY(20, true, "nothing matched so far; go on at the next offset"),
  PULL_OFFSET_MOVED(21, false, "the offset is outside the queue; go on at the given one"),
  QUERY_NOT_FOUND(22, false, "nothing found"),
  SUBSCRIPTION_PARSE_FAILED(23, false, "the filter expression cannot be parsed"),
  SUBSCRIPTION_NOT_EXIST(24, true, "the group has not subscribed to the topic"),
  SUBSCRIPTION_NOT_LATEST(25, true, "the broker has an older subscription; a heartbeat brings the new one"),
  SUBSCRIPTION_GROUP_NOT_EXIST(26, false, "the consumer group does not exist here"),
  FILTER_DATA_NOT_EXIST(27, false, "the filter that the group registered is no filter"),
  INVALID_PARAMETER(29, false, "a parameter is missing or out of range"),
  CONSUMER_NOT_ONLINE(206, true, "no member of the group is connected"),
  CONSUME_MSG_TIMEOUT(207, true, "the client did not answer in time"),
  NO_MESSAGE(208, false, "no such message is popped, or can be read"),
  POLLING_FULL(209, true, "too many pops wait already; try again a little later"),
  POLLING_TIMEOUT(210, true, "nothing came while the pop was held"),
  FLOW_CONTROL(215, false, "too much is popped and not settled; settle some first"),
  ILLEGAL_OPERATION(604, false, "the operation does not fit the state"),
  GO_AWAY(1500, true, "this server is stopping; connect anew");

  private static final Map<Integer, ResultCode> BY_WIRE = new HashMap<>();

  static {
    for (ResultCode code : values()) {
      BY_WIRE.put(code.wire, code);
    }
  }

  private final int wire;
  private final boolean retryable;
  private final String meaning;

  ResultCode(int wire, boolean retryable, String meaning) {
    this.wire = wire;
    this.retryable = retryable;
    this.meaning = meaning;
  }

  /** The number on the wire. */
  public int wire() {
    return wire;
  }

  /** Whether the same request may succeed later or on another broker. */
  public boolean retryable() {
    return retryable;
  }

  /** One clause of plain English. */
  public String meaning() {
    return meaning;
  }

  /** The code of a wire number, empty when this list does not know it. */
  public static Optional<ResultCode> of(int wire) {
    return Optional.ofNullable(BY_WIRE.get(wire));
  }
}
