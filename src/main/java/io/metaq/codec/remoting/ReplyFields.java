package io.metaq.codec.remoting;

import io.metaq.model.RequestCode;

/**
 * The fields of a reply (SEND_REPLY_MESSAGE with its long field names, SEND_REPLY_MESSAGE_V2 with the letters of a send), and of the
 * request that brings it to whoever waits for it (PUSH_REPLY_MESSAGE_TO_CLIENT). Source: the RocketMQ remoting protocol.
 *
 * @param queueId negative when the broker is to choose
 * @param properties as text, empty when there are none
 */
public record ReplyFields(
    String producerGroup,
    String topic,
    String defaultTopic,
    int defaultTopicQueues,
    int queueId,
    int sysFlag,
    long bornTimestamp,
    int flag,
    String properties,
    int reconsumeTimes,
    boolean unitMode) {

  /**
   * Reads a reply.
   *
   * @throws HeaderException when a field is missing or no number
   */
  public static ReplyFields of(RemotingCommand request) {
    boolean letters = request.code() == RequestCode.SEND_REPLY_MESSAGE_V2.wire();
    return new ReplyFields(
        request.requireText(letters ? "a" : "producerGroup"),
        request.requireText(letters ? "b" : "topic"),
        request.requireText(letters ? "c" : "defaultTopic"),
        request.requireInt(letters ? "d" : "defaultTopicQueueNums"),
        request.requireInt(letters ? "e" : "queueId"),
        request.requireInt(letters ? "f" : "sysFlag"),
        request.requireLong(letters ? "g" : "bornTimestamp"),
        request.requireInt(letters ? "h" : "flag"),
        request.text(letters ? "i" : "properties").orElse(""),
        (int) request.longOr(letters ? "j" : "reconsumeTimes", 0),
        request.booleanOr(letters ? "k" : "unitMode", false));
  }

  /**
   * The request that brings the reply to its client, without the body.
   *
   * @param chosenQueueId the queue the broker took
   * @param pushed the properties it is to have there
   * @param bornHost {@code ip:port} of whoever replied
   * @param storeHost {@code ip:port} of this broker
   */
  public RemotingCommand push(int chosenQueueId, String pushed, String bornHost, String storeHost, long storeTimestamp) {
    return RemotingCommand.request(RequestCode.PUSH_REPLY_MESSAGE_TO_CLIENT)
        .ext("producerGroup", producerGroup)
        .ext("topic", topic)
        .ext("defaultTopic", defaultTopic)
        .ext("defaultTopicQueueNums", defaultTopicQueues)
        .ext("queueId", chosenQueueId)
        .ext("sysFlag", sysFlag)
        .ext("bornTimestamp", bornTimestamp)
        .ext("flag", flag)
        .ext("properties", pushed)
        .ext("reconsumeTimes", reconsumeTimes)
        .ext("unitMode", unitMode)
        .ext("bornHost", bornHost)
        .ext("storeHost", storeHost)
        .ext("storeTimestamp", storeTimestamp);
  }
}
