package io.metaq.messaging;

import io.metaq.client.MetaqClient;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.StrictMultiSubscriber;
import io.smallrye.reactive.messaging.OutgoingMessageMetadata;
import io.smallrye.reactive.messaging.providers.helpers.MultiUtils;
import java.util.concurrent.Flow;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what a channel is given, pipelined and in its order. A message is acknowledged when the broker has stored it, and refused when
 * it cannot be sent; the channel goes on either way.
 */
final class OutgoingChannel {
  private static final Logger log = LoggerFactory.getLogger(OutgoingChannel.class);

  private final OutgoingSettings settings;
  private final MetaqClient client;
  private final OutgoingMessages messages;

  OutgoingChannel(OutgoingSettings settings, MetaqClient client) {
    this.settings = settings;
    this.client = client;
    this.messages = new OutgoingMessages(settings);
  }

  OutgoingSettings settings() {
    return settings;
  }

  Readiness readiness() {
    return new Readiness(settings.channel(), client, settings.topic());
  }

  /** Asks for as many messages as may be in flight. */
  Flow.Subscriber<Message<?>> subscriber() {
    // strict, because that of SmallRye takes null for a message and for a subscription
    return new StrictMultiSubscriber<>(MultiUtils.via((Multi<Message<?>> given) -> given
        .onItem().transformToUni(this::send).merge(settings.maxInFlight())
        .onFailure().invoke(failure -> log.error("the channel gets no more messages channel={}", settings.channel(), failure))));
  }

  private Uni<Void> send(Message<?> message) {
    return Uni.createFrom().deferred(() -> client.send(messages.of(message)))
        .onItem().invoke(receipt -> OutgoingMessageMetadata.setResultOnMessage(message, receipt))
        .onItemOrFailure().transformToUni((receipt, failure) -> failure == null ? ack(message) : nack(message, failure))
        .onFailure().recoverWithUni(failure -> {
          log.warn("the sender of a message could not take its outcome channel={}", settings.channel(), failure);
          return Uni.createFrom().voidItem();
        });
  }

  private static Uni<Void> ack(Message<?> message) {
    return Uni.createFrom().completionStage(message::ack);
  }

  private Uni<Void> nack(Message<?> message, Throwable failure) {
    log.warn("a message could not be sent channel={} cause={}", settings.channel(), failure.toString());
    return Uni.createFrom().completionStage(() -> message.nack(failure));
  }
}
