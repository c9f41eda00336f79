package io.metaq.coordinator;

import io.metaq.coordinator.api.GroupPlace;
import io.metaq.coordinator.api.PopAnswer;

/** What pops ask of others; none of it waits. */
interface PopOutside {
  /** Take an answer to its loop. */
  void answer(int loop, PopAnswer answer);

  /** Note how far a group has popped a queue. */
  void commit(GroupPlace place);

  /** Pops of a queue go on where somebody else put it: nobody need remember any more that it was moved. */
  void adopted(PopQueue queue);

  /** Tell {@link Pops#arrived} when a queue reaches beyond an offset, or does already. */
  void watch(String topic, int queueId, long queueOffset);

  /** See that a retry topic is there, then tell {@link Pops#topicIsThere}. */
  void ensureTopic(String retryTopic);

  /** Find out how far a group has consumed, then tell {@link Pops#learn}. */
  void follow(String group);
}
