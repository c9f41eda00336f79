package io.metaq.client;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.UniqueKeys;
import io.metaq.model.OwnedBy;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Takes messages of the application: checks them, gives them ids, makes requests of them and lets each find its way. Sends are
 * pipelined; those of one loop round to one broker leave in one write.
 */
@OwnedBy("its client's context")
final class Producer {
  private static final Pattern MESSAGE_ID = Pattern.compile("[^\\p{Cntrl}\\s]+");
  /** As long as those that {@link UniqueKeys} makes. */
  private static final String ANY_ID = "0".repeat(32);

  private final SendParts parts;
  private final UniqueKeys ids;
  private final MetaqClientOptions options;
  private final Runnable onUsed;
  private final Batching batching;
  private final ByteSink scratch = new ByteSink(256);
  private boolean used;

  /**
   * @param onUsed called when there is a producer group to tell brokers of, once
   */
  Producer(SendParts parts, UniqueKeys ids, MetaqClientOptions options, Runnable onUsed) {
    this.parts = parts;
    this.ids = ids;
    this.options = options;
    this.onUsed = onUsed;
    this.batching = new Batching(options.getMaxBodyBytes(), options.getCompressFromBytes());
  }

  /** Whether anything was sent, so that brokers are told of the producer group. */
  boolean used() {
    return used;
  }

  /** From now on brokers are told of the producer group. */
  void use() {
    if (!used) {
      used = true;
      onUsed.run();
    }
  }

  /** Sends one message; each call is a message of its own. */
  Home.Work<SendReceipt> send(Message message) {
    return begin(OneMessage.Kind.PLAIN, message, options.getProducerGroup());
  }

  /** As {@link #send(Message)}, under an id of the caller's. */
  Home.Work<SendReceipt> send(Message message, String messageId) {
    if (!MESSAGE_ID.matcher(messageId).matches()) {
      return Home.Work.of(Future.failedFuture(MetaqException.of(
          MetaqException.Reason.INVALID, "'" + messageId + "' is no message id, which has characters and no spaces")));
    }
    return begin(OneMessage.Kind.PLAIN, IdentifiedMessage.of(message, messageId, scratch), options.getProducerGroup());
  }

  /** What {@link #send(Message)} would refuse a message for without asking anybody. From any thread. */
  Optional<MetaqException> fault(Message message) {
    return fault(IdentifiedMessage.of(message, ANY_ID, new ByteSink(256)));
  }

  /** Sends a message that waits for its transaction's verdict at the broker. */
  Home.Work<SendReceipt> sendHalf(Message message, String group) {
    return begin(OneMessage.Kind.HALF, message, group);
  }

  /** Sends the answer to a request; a broker brings it to the requester. */
  Home.Work<SendReceipt> reply(Message message) {
    return begin(OneMessage.Kind.REPLY, message, options.getProducerGroup());
  }

  /** Sends one message that nobody answers: done, with no receipt, when it has left. */
  Home.Work<SendReceipt> sendOneWay(Message message) {
    return begin(OneMessage.Kind.ONE_WAY, message, options.getProducerGroup());
  }

  /** Sends many, together where they may. */
  Home.Work<List<SendReceipt>> sendAll(List<Message> messages) {
    SendingAll all = new SendingAll(messages.size());
    List<IdentifiedMessage> sound = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (int place = 0; place < messages.size(); place++) {
      IdentifiedMessage identified = identified(messages.get(place));
      Optional<MetaqException> fault = fault(identified);
      if (fault.isPresent()) {
        all.refuse(place, fault.get());
      } else {
        places.add(place);
        sound.add(identified);
      }
    }
    for (Batching.Portion portion : batching.divide(sound)) {
      all.add(portion.places().stream().map(places::get).toList(), begin(portion));
    }
    return all;
  }

  /** Takes no more messages; completes when those on the wire have their answer, or will not get one. The others fail. */
  Future<Void> close() {
    Future<Void> drained = parts.inFlight().close();
    List.copyOf(parts.paused()).forEach(Sending::closing);
    return drained;
  }

  private Home.Work<List<SendReceipt>> begin(Batching.Portion portion) {
    use();
    String group = options.getProducerGroup();
    return portion.messages().size() == 1
        ? Sending.begin(parts, one(OneMessage.Kind.PLAIN, portion.messages().get(0), group)).as(List::of)
        : Sending.begin(parts, new MessageBatch(portion.messages(), group));
  }

  private Home.Work<SendReceipt> begin(OneMessage.Kind kind, Message message, String group) {
    return begin(kind, identified(message), group);
  }

  private Home.Work<SendReceipt> begin(OneMessage.Kind kind, IdentifiedMessage identified, String group) {
    Optional<MetaqException> fault = fault(identified);
    if (fault.isPresent()) {
      return Home.Work.of(Future.failedFuture(fault.get()));
    }
    use();
    return Sending.begin(parts, one(kind, identified, group));
  }

  private IdentifiedMessage identified(Message message) {
    return IdentifiedMessage.of(message, ids.next(), scratch);
  }

  private OneMessage one(OneMessage.Kind kind, IdentifiedMessage identified, String group) {
    boolean compress = identified.message().body().length >= options.getCompressFromBytes();
    return new OneMessage(kind, identified, group, compress);
  }

  private Optional<MetaqException> fault(IdentifiedMessage identified) {
    Message message = identified.message();
    String topicFault = Topics.topicFault(message.topic());
    if (topicFault != null) {
      return invalid(topicFault);
    }
    if (message.body().length > options.getMaxBodyBytes()) {
      return invalid("the body has " + message.body().length + " bytes, at most " + options.getMaxBodyBytes() + " are sent");
    }
    if (identified.properties().length > PropertiesText.MAX_BYTES) {
      return invalid("the properties are longer than " + PropertiesText.MAX_BYTES + " bytes");
    }
    return Optional.empty();
  }

  private static Optional<MetaqException> invalid(String fault) {
    return Optional.of(MetaqException.of(MetaqException.Reason.INVALID, fault));
  }
}
