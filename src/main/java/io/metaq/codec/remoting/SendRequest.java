package io.metaq.codec.remoting;

import io.metaq.model.RequestCode;
import java.nio.charset.StandardCharsets;

/**
 * A send as a client makes it (SEND_MESSAGE_V2, SEND_BATCH_MESSAGE, SEND_REPLY_MESSAGE_V2), written without a map of its fields:
 * clients that send often make hundreds of thousands of them a second. The header is a binary one, which every server reads.
 *
 * @param code one whose fields have letters for names
 * @param defaultTopic the template by which the topic is made if it does not exist
 * @param defaultTopicQueues how many queues it is made with
 * @param flag a number of the application's own
 * @param properties their text
 * @param batch whether the body has several messages
 * @param broker name of the broker it goes to
 * @param oneWay whether nobody answers
 * @param body as it travels, compressed if {@code sysFlag} says so
 */
public record SendRequest(
    RequestCode code,
    String producerGroup,
    String topic,
    String defaultTopic,
    int defaultTopicQueues,
    int queueId,
    int sysFlag,
    long bornTimestamp,
    int flag,
    byte[] properties,
    boolean batch,
    String broker,
    boolean oneWay,
    byte[] body) {

  /** Appends the whole frame. */
  public void write(ByteSink out, int opaque) {
    int start = HeaderCodec.beginFrame(out);
    int extLengthAt = BinaryHeader.begin(out, code.wire(), opaque, oneWay ? RemotingCommand.ONEWAY : 0);
    text(out, 'a', producerGroup);
    text(out, 'b', topic);
    text(out, 'c', defaultTopic);
    number(out, 'd', defaultTopicQueues);
    number(out, 'e', queueId);
    number(out, 'f', sysFlag);
    number(out, 'g', bornTimestamp);
    number(out, 'h', flag);
    name(out, 'i');
    out.putInt(properties.length);
    out.putBytes(properties);
    number(out, 'j', 0);
    text(out, 'k', "false");
    text(out, 'm', batch ? "true" : "false");
    text(out, 'n', broker);
    out.setInt(extLengthAt, out.length() - extLengthAt - Integer.BYTES);
    HeaderCodec.endHeader(out, start, SerializeType.ROCKETMQ, body.length);
    out.putBytes(body);
  }

  /** The same as a command, for those who have to add fields. */
  public RemotingCommand command() {
    RemotingCommand command =
        RemotingCommand.request(code)
            .ext("a", producerGroup)
            .ext("b", topic)
            .ext("c", defaultTopic)
            .ext("d", defaultTopicQueues)
            .ext("e", queueId)
            .ext("f", sysFlag)
            .ext("g", bornTimestamp)
            .ext("h", flag)
            .ext("i", new String(properties, StandardCharsets.UTF_8))
            .ext("j", 0)
            .ext("k", false)
            .ext("m", batch)
            .ext("n", broker)
            .body(body);
    return oneWay ? command.withoutAnswer() : command;
  }

  private static void name(ByteSink out, char name) {
    out.putShort(1);
    out.putByte(name);
  }

  private static void text(ByteSink out, char name, String value) {
    name(out, name);
    int lengthAt = out.length();
    out.putInt(0);
    out.putUtf8(value);
    out.setInt(lengthAt, out.length() - lengthAt - Integer.BYTES);
  }

  private static void number(ByteSink out, char name, long value) {
    name(out, name);
    int lengthAt = out.length();
    out.putInt(0);
    out.putDecimal(value);
    out.setInt(lengthAt, out.length() - lengthAt - Integer.BYTES);
  }
}
