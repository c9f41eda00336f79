package sample;

import io.metaq.client.SendReceipt;
import io.metaq.messaging.OutgoingMetaqMetadata;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.MutinyEmitter;
import io.smallrye.reactive.messaging.OutgoingMessageMetadata;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;

/** Takes orders. */
@ApplicationScoped
public class Shop {
  @Inject
  @Channel("placed")
  MutinyEmitter<String> placed;

  /** Completes when the broker has stored the order. */
  public Uni<SendReceipt> place(String order) {
    OutgoingMessageMetadata<SendReceipt> receipt = new OutgoingMessageMetadata<>();
    Metadata metadata = Metadata.of(OutgoingMetaqMetadata.none().tag("new").key(order), receipt);
    return placed.sendMessage(Message.of(order, metadata)).map(stored -> receipt.getResult());
  }
}
