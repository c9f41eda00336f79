package io.metaq.codec.admin;

import io.metaq.codec.registry.RegistryJson;

/**
 * How a member fared with one message it was given by a tool, the answer of CONSUME_MESSAGE_DIRECTLY. Source: the RocketMQ remoting
 * protocol.
 *
 * @param ordered whether it reads in order
 * @param result {@code CR_SUCCESS} or {@code CR_LATER}
 * @param spentMs from delivery to settlement
 */
public record DirectResult(boolean ordered, String result, long spentMs) {
  /** The message was acknowledged. */
  public static final String SUCCESS = "CR_SUCCESS";

  /** The message was sent back. */
  public static final String LATER = "CR_LATER";

  public byte[] encode() {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeBooleanField("autoCommit", true);
      out.writeStringField("consumeResult", result);
      out.writeBooleanField("order", ordered);
      out.writeNullField("remark");
      out.writeNumberField("spentTimeMills", spentMs);
      out.writeEndObject();
    });
  }
}
