package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.CheckTransaction;
import io.metaq.coordinator.api.CloseConnections;
import io.metaq.coordinator.api.GroupsDelta;
import io.metaq.coordinator.api.HoldEnded;
import io.metaq.coordinator.api.MasterState;
import io.metaq.coordinator.api.MembersChanged;
import io.metaq.coordinator.api.OffsetReset;
import io.metaq.coordinator.api.ProgressHeld;
import io.metaq.coordinator.api.ResetSettled;
import io.metaq.coordinator.api.TopicsDelta;
import io.metaq.model.RequestCode;
import java.util.function.Consumer;

/** Takes in what the coordinators tell this loop, in the order they tell it. */
final class Deltas {
  private final LoopTopics topics;
  private final LoopGroups groups;
  private final HeldProgress held;
  private final LoopResets resets;
  private final PullHandler pulls;
  private final PopPipe pops;
  private final LoopConnections connections;
  private final Consumer<MasterState> masterState;

  Deltas(
      LoopTopics topics, LoopGroups groups, HeldProgress held, LoopResets resets, PullHandler pulls, PopPipe pops,
      LoopConnections connections, Consumer<MasterState> masterState) {
    this.topics = topics;
    this.groups = groups;
    this.held = held;
    this.resets = resets;
    this.pulls = pulls;
    this.pops = pops;
    this.connections = connections;
    this.masterState = masterState;
  }

  void apply(Object told) {
    if (told instanceof TopicsDelta delta) {
      topics.apply(delta);
    } else if (told instanceof GroupsDelta delta) {
      groups.apply(delta);
      held.groupsChanged();
      pulls.changed(delta);
      pops.changed(delta);
    } else if (told instanceof OffsetReset reset) {
      held.apply(reset);
      pulls.moved(reset);
    } else if (told instanceof ProgressHeld hold) {
      held.apply(hold);
    } else if (told instanceof HoldEnded ended) {
      held.apply(ended);
    } else if (told instanceof ResetSettled settled) {
      resets.apply(settled);
    } else if (told instanceof MasterState state) {
      masterState.accept(state);
    } else if (told instanceof MembersChanged changed) {
      notifyMembers(changed);
    } else if (told instanceof CheckTransaction question) {
      ask(question);
    } else if (told instanceof CloseConnections close) {
      close.connectionIds().forEach(id -> connections.find(id).ifPresent(connection -> connection.close(close.reason())));
    } else {
      throw new IllegalArgumentException("a loop takes no " + told.getClass().getName());
    }
  }

  /** A producer that has gone is not asked; the coordinator asks another one in its next round. */
  private void ask(CheckTransaction question) {
    connections.find(question.connectionId()).ifPresent(connection -> connection.write(
        RemotingCommand.oneway(RequestCode.CHECK_TRANSACTION_STATE)
            .ext("topic", question.topic())
            .ext("tranStateTableOffset", question.halfQueueOffset())
            .ext("commitLogOffset", question.halfPhyOffset())
            .ext("msgId", question.uniqueKey())
            .ext("transactionId", question.uniqueKey())
            .ext("offsetMsgId", question.messageId())
            .body(question.message())));
  }

  private void notifyMembers(MembersChanged changed) {
    for (long id : changed.connectionIds()) {
      connections
          .find(id)
          .ifPresent(connection -> connection.write(
              RemotingCommand.oneway(RequestCode.NOTIFY_CONSUMER_IDS_CHANGED).ext("consumerGroup", changed.group())));
    }
  }
}
