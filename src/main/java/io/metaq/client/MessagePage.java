package io.metaq.client;

import java.util.List;

/**
 * Messages of a topic out of all its queues, oldest first, and where those behind them begin.
 *
 * @param messages by the time they were stored
 * @param next to read the next page from
 * @param end whether there was nothing behind this page in any queue
 */
public record MessagePage(List<FoundMessage> messages, Position next, boolean end) {
  public MessagePage {
    messages = List.copyOf(messages);
  }
}
