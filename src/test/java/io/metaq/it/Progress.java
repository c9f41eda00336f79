package io.metaq.it;

import java.io.IOException;
import java.net.ConnectException;

/** What one broker says of a topic's queues and of a group's progress, asked without a client that could go elsewhere. */
public final class Progress {
  private static final int QUERY_CONSUMER_OFFSET = 14;
  private static final int GET_MAX_OFFSET = 30;

  private final int brokerPort;
  private final String topic;
  private final int queues;

  public Progress(int brokerPort, String topic, int queues) {
    this.brokerPort = brokerPort;
    this.topic = topic;
    this.queues = queues;
  }

  /** Messages in all queues. */
  public long messages() throws IOException {
    return sum(RawFrame.request(GET_MAX_OFFSET));
  }

  /** Messages the group has committed in all queues; 0 while the broker does not answer. */
  public long committed(String group) throws IOException {
    return sum(RawFrame.request(QUERY_CONSUMER_OFFSET).ext("consumerGroup", group).ext("setZeroIfNotFound", "false"));
  }

  private long sum(RawFrame request) throws IOException {
    long sum = 0;
    try (RawClient client = RawClient.connect(brokerPort)) {
      for (int queue = 0; queue < queues; queue++) {
        RawFrame answer = client.call(request.ext("topic", topic).ext("queueId", queue));
        sum += answer.code() == 0 ? answer.number("offset") : 0;
      }
    } catch (ConnectException notThere) {
      return 0;
    }
    return sum;
  }
}
