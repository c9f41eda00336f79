package io.metaq.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pops and what is said of popped messages, in the form the official Java clients give them. */
public final class Pops {

  public static final int POP = 200050;
  public static final int ACK = 200051;
  public static final int PEEK = 200052;
  public static final int CHANGE_INVISIBLE = 200053;
  public static final int NOTIFICATION = 200054;
  public static final int POLLING_INFO = 200055;
  public static final int BATCH_ACK = 200151;
  public static final int ANY_QUEUE = -1;
  private static final long AHEAD_MS = 60_000;

  private Pops() {
  }

  /** A message as a client has it: with what names it until it is settled. */
  public record Popped(String group, String topic, int queueId, long queueOffset, String handle, StoredRecord record) {

    public String text() {
      return record.text();
    }

    public RawFrame ack() {
      return settle(ACK);
    }

    public RawFrame changeInvisible(long ms) {
      return settle(CHANGE_INVISIBLE).ext("invisibleTime", ms);
    }

    /** The same under the handle that the answer to a changed time tells. */
    public Popped renewed(RawFrame answer) {
      String[] fields = handle.split(" ");
      String renewed = queueOffset + " " + answer.ext("popTime") + " " + answer.ext("invisibleTime") + " "
          + answer.ext("reviveQid") + " "
          + fields[4] + " " + fields[5] + " " + queueId + " " + queueOffset;
      return new Popped(group, topic, queueId, queueOffset, renewed, record);
    }

    private RawFrame settle(int code) {
      return RawFrame.request(code).ext("consumerGroup", group).ext("topic", topic).ext("queueId", queueId).ext("extraInfo", handle)
          .ext("offset", queueOffset);
    }
  }

  /**
   * A pop of up to 32 messages that begins with the first of each queue. Brokers leave out one that comes late by its own clock; one that
   * is not to be held is ahead of it, so that it is never too late on a machine that stands still.
   */
  public static RawFrame pop(String group, String topic, int queueId, long invisibleMs, long pollMs) {
    return RawFrame.request(POP).ext("consumerGroup", group).ext("topic", topic).ext("queueId", queueId).ext("maxMsgNums", 32)
        .ext("invisibleTime", invisibleMs).ext("pollTime", pollMs).ext("bornTime", System.currentTimeMillis() + (pollMs == 0 ? AHEAD_MS : 0)).ext("initMode", 0)
        .ext("expType", "TAG").ext("exp", "*").ext("order", false);
  }

  /** Names the messages of an answer as the official client does. */
  public static List<Popped> read(String group, String topic, RawFrame answer) {
    List<Popped> popped = new ArrayList<>();
    if (answer.code() != 0) {
      return popped;
    }
    Map<String, String> starts = new HashMap<>();
    for (String part : answer.ext("startOffsetInfo").split(";")) {
      String[] fields = part.split(" ");
      starts.put(fields[0] + " " + fields[1], fields[2]);
    }
    for (StoredRecord record : StoredRecord.readAll(answer.body())) {
      String ready = record.properties().get("POP_CK");
      String handle = ready != null ? ready : starts.get("0 " + record.queueId()) + " " + answer.ext("popTime") + " "
          + answer.ext("invisibleTime") + " " + answer.ext("reviveQid") + " 0 broker " + record.queueId() + " "
              + record.queueOffset();
      boolean retry = handle.split(" ")[4].equals("1");
      String source = retry ? "%RETRY%" + group + "_" + topic : topic;
      popped.add(new Popped(group, source, record.queueId(), record.queueOffset(), handle, record));
    }
    return popped;
  }

  /** Pops now, from any queue. */
  public static List<Popped> popNow(RawClient client, String group, String topic, long invisibleMs) throws IOException {
    return read(group, topic, client.call(pop(group, topic, ANY_QUEUE, invisibleMs, 0)));
  }
}
