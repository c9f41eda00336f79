package io.metaq.client;

import java.util.List;

/**
 * Messages of a topic out of all its queues, oldest first, and where those behind them begin.
 *
 * @param messages by the time they were stored
 * @param next to read the next page from; queues of missing brokers stay where they are
 * @param end whether there was nothing behind this page in any queue; never with {@code missing}
 * @param missing brokers whose queues could not be read: their messages are not on the page, however old
 */
public record MessagePage(List<FoundMessage> messages, Position next, boolean end, List<MissingBroker> missing) {
  public MessagePage {
    messages = List.copyOf(messages);
    missing = List.copyOf(missing);
  }
}
