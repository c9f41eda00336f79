package io.metaq.messaging;

import io.metaq.client.Delivery;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.providers.locals.ContextAwareMessage;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.eclipse.microprofile.reactive.messaging.Metadata;

/**
 * A delivery as a channel hands it on: the body as payload, {@link IncomingMetaqMetadata} beside it, settled as the channel says. It has a
 * Vert.x context of its own, on which settlements complete, as what processes it may keep data there.
 */
final class IncomingMessage implements ContextAwareMessage<byte[]> {
  private final Delivery delivery;
  private final Settling settling;
  private final Metadata metadata;

  /** Call on the context the channel is read on. */
  IncomingMessage(Delivery delivery, Settling settling) {
    this.delivery = delivery;
    this.settling = settling;
    this.metadata = ContextAwareMessage.captureContextMetadata(new IncomingMetaqMetadata(delivery));
  }

  @Override
  public byte[] getPayload() {
    return delivery.message().body();
  }

  @Override
  public Metadata getMetadata() {
    return metadata;
  }

  @Override
  public Function<Metadata, CompletionStage<Void>> getAckWithMetadata() {
    return this::ack;
  }

  @Override
  public BiFunction<Throwable, Metadata, CompletionStage<Void>> getNackWithMetadata() {
    return this::nack;
  }

  @Override
  public CompletionStage<Void> ack(Metadata ignored) {
    return completedHere(settling.processed(delivery));
  }

  @Override
  public CompletionStage<Void> nack(Throwable reason, Metadata ignored) {
    return completedHere(settling.failed(delivery, reason));
  }

  private CompletionStage<Void> completedHere(Uni<Void> settlement) {
    return settlement.emitOn(this::runOnMessageContext).subscribeAsCompletionStage();
  }

  @Override
  public String toString() {
    return delivery.toString();
  }
}
